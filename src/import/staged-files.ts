import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STAGING } from './lock.ts';

/** Files written into a hidden folder of a locked dataset, and moved into place all at the end. */
export class StagedFiles {
  readonly #folder: string;
  readonly #names = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(name: string, lines: Iterable<string>): Promise<void> {
    const path = this.#temporary(name);
    await mkdir(dirname(path), { recursive: true });
    this.#names.add(name);
    await pipeline(Readable.from(chunksOf(lines)), createWriteStream(path));
  }

  /** Stages a file with more lines at its end, to be put in place after all those staged before. */
  async append(name: string, lines: Iterable<string>): Promise<void> {
    const path = this.#temporary(name);
    await mkdir(dirname(path), { recursive: true });
    const isStaged = this.#names.delete(name);
    if (!isStaged) await copyFile(join(this.#folder, name), path).catch(ignoreMissing);
    this.#names.add(name);
    const added = (await lacksLineBreak(path)) ? ['\n', ...lines] : lines;
    await pipeline(Readable.from(chunksOf(added)), createWriteStream(path, { flags: 'a' }));
  }

  forget(name: string): void {
    this.#names.delete(name);
  }

  /** Puts the files in place; one without a line removes the file of its name. */
  async replace(): Promise<string[]> {
    const names = [...this.#names];
    for (const name of names) {
      const final = join(this.#folder, name);
      await mkdir(dirname(final), { recursive: true });
      if ((await stat(this.#temporary(name))).size > 0) await rename(this.#temporary(name), final);
      else await rm(final, { force: true });
    }
    return names;
  }

  #temporary(name: string): string {
    return join(this.#folder, STAGING, name);
  }
}

/** Tells if a file ends without a line break, as some editors leave it. */
async function lacksLineBreak(path: string): Promise<boolean> {
  await using file = await open(path, 'a+');
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Joins lines, since each chunk of a stream has its price. */
function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
