import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ShareCard } from '../view/share-cards.ts';
import { drawImage } from './draw-image.ts';

/** The folder of drawn cards, for the next build. It may be deleted at any time. */
export const CARD_CACHE = join(import.meta.dirname, '../../node_modules/.cache/share-cards');

/** Time after which a card that no build used is deleted. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Writes cards as PNG into the folder of an edition. A card that was drawn before, by any build, is
 * copied: drawing takes longer than all else of a page.
 *
 * @returns how many were drawn
 */
export async function writeCards(
  folder: string,
  cards: Iterable<Pick<ShareCard, 'path' | 'svg' | 'width'>>,
  cache = CARD_CACHE,
): Promise<number> {
  await mkdir(cache, { recursive: true });
  const renderer = await versions();
  let drawn = 0;
  for (const { path, svg, width } of cards) {
    const kept = join(cache, `${digest(renderer, String(width), svg)}.png`);
    let png = await readKept(kept);
    if (png === undefined) {
      png = await drawImage(svg, width);
      await keep(kept, png);
      drawn++;
    }
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, png);
  }
  await removeUnused(cache);
  return drawn;
}

/** Versions of what draws: another one may draw other bytes. */
async function versions(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const lock = join(dirname(resolve('@resvg/resvg-wasm')), 'package.json');
  const font = resolve('@fontsource-variable/source-serif-4/package.json');
  const read = async (file: string) =>
    (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
  return `${await read(lock)} ${await read(font)}`;
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
  const next = `${file}.${process.pid}`;
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
