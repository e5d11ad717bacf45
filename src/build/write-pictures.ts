import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { eachConcurrently } from '../edition/each-concurrently.ts';
import { drawImage } from './draw-image.ts';

/** The folder of drawn pictures, for the next build. It may be deleted at any time. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/share-cards');

/** Time after which a picture that no build used is deleted. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const CONCURRENCY = 8;

/** A picture to be drawn. */
interface Picture {
  /** Address of the PNG or, for icons, of an ICO file. */
  path: string;
  svg: string;
  /** In pixels. */
  width: number;
}

/**
 * Writes pictures into the folder of an edition. One that was drawn before, by any build, is copied:
 * drawing takes longer than all else of a page.
 *
 * @returns how many were drawn
 */
export async function writePictures(
  folder: string,
  pictures: Iterable<Picture>,
  cache = CACHE,
): Promise<number> {
  await mkdir(cache, { recursive: true });
  const renderer = await versions();
  let drawn = 0;
  await eachConcurrently([...pictures], CONCURRENCY, async ({ path, svg, width }) => {
    const kept = join(cache, `${digest(renderer, String(width), svg)}.png`);
    let png = await readKept(kept);
    if (png === undefined) {
      png = await drawImage(svg, width);
      await keep(kept, png);
      drawn++;
    }
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, path.endsWith('.ico') ? asIcon(png, width) : png);
  });
  await removeUnused(cache);
  return drawn;
}

/** Wraps a PNG in the header of an ICO file with one picture. */
function asIcon(png: Uint8Array, width: number): Buffer {
  const header = Buffer.alloc(22);
  header.set([0, 0, 1, 0, 1, 0, width, width, 0, 0, 1, 0, 32, 0]);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** Versions of the code that draws: another one may draw other bytes. */
async function versions(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const packages = [
    join(dirname(resolve('@resvg/resvg-wasm')), 'package.json'),
    resolve('@fontsource/source-serif-4/package.json'),
  ];
  const read = (file: string) => readFile(file, 'utf8');
  const encoder = await read(join(import.meta.dirname, 'draw-image.ts'));
  const described = await Promise.all(packages.map(read));
  const numbers = described.map((json) => (JSON.parse(json) as { version: string }).version);
  return [process.versions.zlib, digest(encoder), ...numbers].join(' ');
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

async function readKept(file: string): Promise<Uint8Array | undefined> {
  try {
    const png = await readFile(file);
    await utimes(file, new Date(), new Date());
    return png;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Other builds may read the file at the same time, so it appears with all its bytes. */
async function keep(file: string, png: Uint8Array): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  await writeFile(next, png);
  await rename(next, file);
}

async function removeUnused(cache: string): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  for (const name of await readdir(cache)) {
    const file = join(cache, name);
    const used = await stat(file).catch(() => undefined);
    if (used && used.mtimeMs < oldest) await rm(file, { force: true });
  }
}
