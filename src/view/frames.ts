/** The pages for frames, by the end of their path, and how many of the newest reviews each shows. */
export const FRAMES = [
  { kind: 'badge', shown: 0 },
  { kind: 'newest', shown: 1 },
  { kind: undefined, shown: 20 },
] as const;

/** The looks of a frame are a fragment, `#dark`, so one file has both, and they need no script. */
export const SCHEMES = ['light', 'dark'] as const;
