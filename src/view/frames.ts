/** The pages for frames, by the end of their path, and how many of the newest reviews each shows. */
export const FRAMES = [
  { kind: 'badge', shown: 0 },
  { kind: 'newest', shown: 1 },
  { kind: undefined, shown: 20 },
] as const;

/** Looks of a frame besides light ones, as fragments, so that one file has all and needs no script. */
export const SCHEMES = [
  ['dark', 'dark'],
  ['device', 'as the device'],
] as const;
