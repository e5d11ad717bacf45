import { createHash } from 'node:crypto';
import images from 'astro/assets/services/sharp';
import type { Cover } from '../content/read-cover.ts';
import { ASSETS_PATH } from '../paths.ts';
import { UsageError } from '../run-command.ts';

/** A cover in the sizes that screens need. */
export interface DrawnCover {
  alt: string;
  /** Smallest first. */
  sizes: { path: string; width: number; height: number; bytes: Uint8Array }[];
}

/** In pixels: a phone's, the same on a sharp screen, a desktop's, and that on a sharp screen. */
const WIDTHS = [480, 960, 1440, 2240];
/** Width by height: a band that leaves the rating on the first screen of a phone. */
const SHAPE = 5 / 2;
const QUALITY = '72';

/** The image service only warns when it returns a picture unchanged. */
const SILENT = { warn: () => {} } as unknown as Parameters<typeof images.transform>[3];
const SETTINGS = { service: { config: {} } } as unknown as Parameters<typeof images.transform>[2];

/**
 * Cuts a band out of the middle of a cover, in several sizes of WebP. Nothing else of the file is kept:
 * no place, camera or time.
 *
 * @throws {UsageError} if it cannot be decoded
 */
export async function drawCover({ file, bytes, alt, ...cover }: Cover): Promise<DrawnCover> {
  const [smallest, ...others] = WIDTHS;
  const fitting = others.filter((width) => width <= cover.width && width / SHAPE <= cover.height);
  const sizes = [smallest!, ...fitting].map(async (width) => {
    const size = { width, height: width / SHAPE };
    const wanted = { src: file, ...size, fit: 'cover', format: 'webp', quality: QUALITY };
    const { data } = await images.transform(bytes, wanted, SETTINGS, SILENT);
    if (data === bytes) throw new UsageError(`${file}: cannot be decoded: save it anew`);
    const hash = createHash('sha256').update(data).digest('base64url').slice(0, 8);
    return { path: `${ASSETS_PATH}cover-${width}.${hash}.webp`, ...size, bytes: data };
  });
  return { alt, sizes: await Promise.all(sizes) };
}
