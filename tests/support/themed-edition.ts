import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { contentFolder, VALID_CONTENT } from './content-folder.ts';
import { buildEdition } from './edition.ts';
import { jsonl, record, ulidOf } from './reviews.ts';

/** The reviews of the month of `themedEdition`, more than two of its pages have. */
export const COUNT = 205;
export const MONTH = '2026-02';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b00020"/></svg>';

let built: Promise<string> | undefined;

/**
 * The edition of a business with a theme of its own, all of whose reviews are of one month; built
 * once in a process.
 */
export function themedEdition(): Promise<string> {
  return (built ??= build());
}

async function build(): Promise<string> {
  const file = join(VALID_CONTENT, 'business.json');
  const business = JSON.parse(await readFile(file, 'utf8')) as object;
  const theme = { accent: '#B00020', font: 'sans' };
  const reviews = Array.from({ length: COUNT }, (_, number) =>
    record({
      id: ulidOf(number),
      author: `Author ${number}`,
      rating: 1 + (number % 5),
      date: `${MONTH}-${String(1 + (number % 28)).padStart(2, '0')}`,
      text: `Visit ${number} went well.`,
    }),
  );
  const content = await contentFolder(
    { after },
    {
      'business.json': JSON.stringify({
        ...business,
        logo_url: 'https://logo.invalid/a.png',
        theme,
      }),
      'logo.svg': LOGO,
      reviews: null,
      'reviews/2026.jsonl': jsonl(...reviews),
      faq: null,
      journal: null,
      annotations: null,
    },
  );
  const folder = await mkdtemp(join(tmpdir(), 'reviews-themed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return (await buildEdition(join(folder, 'dist'), { CONTENT_DIR: content })).client;
}
