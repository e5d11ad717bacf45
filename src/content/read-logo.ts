import type { Reader } from './reader.ts';

/** The logo of the business, as its file has it. */
export interface Logo {
  type: 'svg' | 'png';
  bytes: Uint8Array;
}

/** Every page shows it, so it should be small. */
const MOST_BYTES = 64 * 1024;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads `logo.svg` or `logo.png`; null when there is neither. */
export async function readLogo(reader: Reader): Promise<Logo | null> {
  const [svg, png] = [
    await reader.bytes('logo.svg', { optional: true }),
    await reader.bytes('logo.png', { optional: true }),
  ];
  if (svg && png) reader.issue('logo.png', 0, '', 'is there beside logo.svg: keep one of them');
  const [path, bytes] = svg ? ['logo.svg', svg] : ['logo.png', png];
  if (!bytes) return null;
  if (bytes.length > MOST_BYTES)
    reader.issue(path, 0, '', `is larger than ${MOST_BYTES / 1024} KiB`, bytes.length);
  else if (svg ? !isSvg(svg) : !PNG_SIGNATURE.equals(bytes.subarray(0, PNG_SIGNATURE.length)))
    reader.issue(path, 0, '', `is not ${svg ? 'an SVG' : 'a PNG'} picture`);
  return { type: svg ? 'svg' : 'png', bytes };
}

function isSvg(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<svg[\s>]/s.test(
    Buffer.from(bytes).toString(),
  );
}
