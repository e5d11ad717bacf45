import type { Reader } from './reader.ts';
import { svgIssue } from './svg-picture.ts';

/** The logo of the business, as its file has it. */
export interface Logo {
  type: 'svg' | 'png';
  bytes: Uint8Array;
}

/** Every page shows it, so it should be small. */
const MAX_BYTES = 64 * 1024;
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
  const type = svg ? 'svg' : 'png';
  const issue = logoIssue(type, bytes);
  if (issue) reader.issue(path, 0, '', issue);
  return { type, bytes };
}

/** Returns why a picture cannot be the logo; undefined if it can. */
export function logoIssue(type: Logo['type'], bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_BYTES) {
    return `is larger than ${MAX_BYTES / 1024} KiB: it has ${bytes.length} bytes`;
  }
  if (type === 'svg') return svgIssue(bytes);
  const isPng = PNG_SIGNATURE.equals(bytes.subarray(0, PNG_SIGNATURE.length));
  return isPng ? undefined : 'is not a PNG picture';
}
