import { extname } from 'node:path';

/** Of files that no endpoint made; endpoints state their own. */
const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

/** @throws for a file whose type nobody stated: a guess would reach browsers */
export function mediaType(file: string): string {
  const type = MEDIA_TYPES[extname(file)];
  if (type === undefined) throw new Error(`${file}: no media type is known for it`);
  return type;
}

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|xml|atom\+xml|manifest\+json))/;

export function isCompressible(type: string): boolean {
  return COMPRESSIBLE.test(type);
}
