import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { buildEdition, readDataset } from '../support/edition.ts';
import { writeContent } from '../support/generate.ts';
import { run } from '../support/run.ts';

/** An edition of generated reviews, built by the real command. */
export interface BuiltEdition {
  /** The folder to serve. */
  client: string;
  /** Processor time of the build command: on a busy machine the clock says little. */
  seconds: number;
}

/** Editions by number of reviews; each is built once, on first use. */
export class Editions {
  readonly #folder: string;

  /** @param folder reused from a former run, with its build times */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(reviews: number): Promise<BuiltEdition> {
    const folder = join(this.#folder, String(reviews));
    const record = join(folder, 'build.json');
    const former = await readFile(record, 'utf8').catch(() => undefined);
    if (former) return JSON.parse(former) as BuiltEdition;
    const built = await build(folder, reviews);
    await writeFile(record, JSON.stringify(built));
    return built;
  }
}

async function build(folder: string, reviews: number): Promise<BuiltEdition> {
  console.error(`building an edition of ${reviews} reviews …`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const content = join(folder, 'content');
  await writeContent(content, reviews);
  await run(process.execPath, ['src/owner/main.ts', 'record'], { CONTENT_DIR: content });
  const env = {
    CONTENT_DIR: content,
    NODE_OPTIONS: `--import=data:text/javascript,${TELL_SECONDS}`,
  };
  const { client, output } = await buildEdition(join(folder, 'dist'), env);
  return { client, seconds: Number(/processor seconds: (.*)/.exec(output)![1]) };
}

const TELL_SECONDS = encodeURIComponent(`process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('processor seconds: ' + (user + system) / 1e6);
});`);

/** Reads what a bench needs from an edition. */
export async function readEdition(
  client: string,
): Promise<{ dataset: ReviewsDataset; manifest: Manifest }> {
  const text = await readFile(join(client, MANIFEST_FILE), 'utf8');
  return { dataset: await readDataset(client), manifest: manifest.parse(JSON.parse(text)) };
}
