import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { ASSETS_PATH } from '../paths.ts';
import { keptBytes } from './kept-bytes.ts';

/** A font of Latin letters, not of the extended ones, which few texts need. */
const LATIN = '*-latin-[!e]*.woff2';

/** The letters and signs of western European languages, with their typographic quotation marks. */
const CHARACTERS = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)),
  ...Array.from({ length: 0x100 - 0xa0 }, (_, at) => String.fromCharCode(0xa0 + at)),
  ...'ıŒœʻʼ–—‘’‚“”„•…‹›€™−',
].join('');

/**
 * Leaves out of the Latin fonts of a built folder what pages never show: fractions, small figures and
 * accents on their own. That is a quarter of what a first visit loads.
 */
export async function slimFonts(folder: string): Promise<void> {
  const assets = join(folder, ASSETS_PATH);
  for await (const name of glob(LATIN, { cwd: assets })) {
    const file = join(assets, name);
    const font = await readFile(file);
    const options = { targetFormat: 'woff2', noLayoutClosure: true } as const;
    const slim = await keptBytes(name, [font, CHARACTERS, JSON.stringify(options)], () =>
      subsetFont(font, CHARACTERS, options),
    );
    await writeFile(file, slim);
  }
}
