import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEdition } from './edition.ts';
import { DATASET } from './fixtures.ts';

let built: Promise<string> | undefined;

/** Returns the sample edition without a sidecar, which is built once in a process. */
export function filesOnlyEdition(): Promise<string> {
  return (built ??= build());
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-files-only-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const content = join(folder, 'content');
  await cp(DATASET, content, { recursive: true });
  const file = join(content, 'business.json');
  const business = JSON.parse(await readFile(file, 'utf8')) as object;
  // As long as the addresses of some businesses: no page may be wider for it.
  const email = 'thefrontofficeofharborandpine@heatingandcoolingofalderbay.example';
  await writeFile(file, JSON.stringify({ ...business, email, sidecar: false }));
  const env = { CONTENT_DIR: content, HUB_URL: '' };
  return (await buildEdition(join(folder, 'dist'), env)).client;
}
