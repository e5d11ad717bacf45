import { imageMetadata } from 'astro/assets/utils';
import type { Reader } from './reader.ts';

/** The picture of the business that the home page begins with, as its file has it. */
export interface Cover {
  /** The name that messages show. */
  file: string;
  bytes: Uint8Array;
  /** A description of the picture. */
  alt: string;
  /** In pixels, after the picture is turned as its camera was held; so is the height. */
  width: number;
  height: number;
}

const NAMES = ['cover.jpg', 'cover.jpeg', 'cover.png', 'cover.webp'];
const FORMATS = new Set(['jpg', 'png', 'webp']);
/** Far above the size of a phone's photo; pages get small copies. */
const MAX_BYTES = 15 * 1024 * 1024;
/** Smaller pictures would be blurred. */
const MIN_SIZE = { width: 960, height: 384 };

/**
 * Reads `cover.jpg`, `.jpeg`, `.png` or `.webp`; null when there is none.
 *
 * @param alt the description in `business.json`
 */
export async function readCover(reader: Reader, alt: string | undefined): Promise<Cover | null> {
  const files: [name: string, bytes: Uint8Array][] = [];
  for (const name of NAMES) {
    const bytes = await reader.bytes(name, { optional: true });
    if (bytes) files.push([name, bytes]);
  }
  const [file, other] = files;
  if (!file) {
    if (alt !== undefined) {
      reader.issue('business.json', 0, 'cover_alt', `there is no ${NAMES.join(', ')} to describe`);
    }
    return null;
  }
  const [name, bytes] = file;
  if (other) reader.issue(other[0], 0, '', `is there beside ${name}: keep one of them`);
  if (alt === undefined) {
    reader.issue('business.json', 0, 'cover_alt', `is missing: say what ${name} shows`);
  }
  if (bytes.length > MAX_BYTES) {
    reader.issue(name, 0, '', `is larger than ${MAX_BYTES / 1024 ** 2} MiB`, bytes.length);
    return null;
  }
  const size = await imageMetadata(bytes, name).catch(() => undefined);
  if (!size || !FORMATS.has(size.format)) {
    reader.issue(name, 0, '', 'is not a JPEG, PNG or WebP picture');
    return null;
  }
  if (moves(bytes)) reader.issue(name, 0, '', 'moves: save one picture of it');
  const { width, height } = size;
  if (width < MIN_SIZE.width || height < MIN_SIZE.height) {
    const reason = `has fewer than ${MIN_SIZE.width} × ${MIN_SIZE.height} pixels`;
    reader.issue(name, 0, '', reason, `${width} × ${height}`);
  }
  return { file: reader.shown(name), bytes, alt: alt ?? '', width, height };
}

/** Tells whether a picture is an animated WebP: a flag of its VP8X chunk says so (RFC 9649, section 2.7). */
function moves(bytes: Uint8Array): boolean {
  const kind = new TextDecoder('latin1').decode(bytes.subarray(8, 16));
  return kind === 'WEBPVP8X' && (bytes[20]! & 0x02) !== 0;
}
