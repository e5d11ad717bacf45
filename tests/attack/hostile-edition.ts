import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutInvisible } from '../../src/schema/invisible.ts';
import { VALID_CONTENT } from '../support/content-folder.ts';
import { buildEdition } from '../support/edition.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { INJECTIONS } from './injections.ts';

/** The words of one review, each the same injection. */
export interface HostileReview {
  name: string;
  id: string;
  /** The published text, byte for byte. */
  text: string;
}

/** An edition in which every author, title, text and reply of a review is an injection. */
export interface HostileEdition extends AsyncDisposable {
  client: string;
  reviews: readonly HostileReview[];
}

/** A name as hostile as a name can be that is one line. */
const BUSINESS = `Fenwick <script>alert(1)</script> ]]> & "Sons" ' \\ {{x}} \${y}`;

/** Without the characters that content/ refuses and an import removes. */
export const HOSTILE_REVIEWS: readonly HostileReview[] = Object.entries(INJECTIONS).map(
  ([name, injection], index) => ({
    name,
    id: ulidOf(index),
    text: withoutInvisible(injection).text,
  }),
);

/** Builds it with the real command. */
export async function buildHostileEdition(): Promise<HostileEdition> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-hostile-'));
  const content = join(folder, 'content');
  await cp(VALID_CONTENT, content, { recursive: true });
  const business = JSON.parse(await readFile(join(content, 'business.json'), 'utf8')) as object;
  const hostile = { ...business, name: BUSINESS, category: BUSINESS };
  await writeFile(join(content, 'business.json'), JSON.stringify(hostile));
  await rm(join(content, 'reviews'), { recursive: true });
  await mkdir(join(content, 'reviews'));
  const records = HOSTILE_REVIEWS.map(({ id, text }) =>
    record({ id, author: text, title: text, text, owner_reply: { text, date: '2026-03-02' } }),
  );
  await writeFile(join(content, 'reviews/2026.jsonl'), jsonl(...records));
  const { client } = await buildEdition(join(folder, 'dist'), { CONTENT_DIR: content });
  return {
    client,
    reviews: HOSTILE_REVIEWS,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
