import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const { resolve } = createRequire(import.meta.url);
const FONT = '@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2';

let ready: Promise<void> | undefined;

/**
 * Draws SVG as PNG, with the serif font of the pages for all text. The renderer is WebAssembly and
 * sees no font of the system, so that the bytes are the same on every machine.
 *
 * @param width in pixels; the height follows
 */
export async function drawImage(svg: string, width: number): Promise<Uint8Array> {
  await (ready ??= readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')).then(initWasm));
  const drawing = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    font: { fontBuffers: [await readFile(resolve(FONT))] },
  });
  const image = drawing.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    drawing.free();
  }
}
