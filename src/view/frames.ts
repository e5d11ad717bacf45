/** The pages for frames, by the end of their path, and how many of the newest reviews each shows. */
export const FRAMES = [
  { kind: 'badge', shown: 0 },
  { kind: 'newest', shown: 1 },
  { kind: undefined, shown: 20 },
] as const;

/**
 * The looks of a frame are a fragment, `#dark-blue`, so one file has all of them, and they need no script.
 * `own` is the accent of the site. The others pass on both grounds (src/layouts/embed.css).
 */
export const ACCENTS = ['own', 'blue', 'green', 'red', 'violet', 'gray'] as const;
export const SCHEMES = ['auto', 'light', 'dark'] as const;
