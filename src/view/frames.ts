import { EMBED_PATH } from '../paths.ts';

/** The pages for frames, by the end of their path, and how many of the newest reviews each shows. */
export const FRAMES = [
  { kind: 'badge', shown: 0 },
  { kind: 'newest', shown: 1 },
  { kind: undefined, shown: 20 },
] as const;

/** `own` is the accent of the site. The others pass on both grounds (src/layouts/embed.css). */
export const ACCENTS = ['own', 'blue', 'green', 'red', 'violet', 'gray'] as const;
export const SCHEMES = ['auto', 'light', 'dark'] as const;

/**
 * Returns the path of a frame. Its looks are a fragment, so one file has all of them, and they need no
 * script.
 */
export function framePath(
  kind: (typeof FRAMES)[number]['kind'],
  look: { scheme: (typeof SCHEMES)[number]; accent: (typeof ACCENTS)[number] },
): string {
  const page = kind === undefined ? EMBED_PATH : `${EMBED_PATH}${kind}/`;
  return `${page}#${look.scheme}-${look.accent}`;
}
