import type { Token } from './tokens.ts';

/** Words that may stand between things named together: `the food and the service`. */
const LINKS = new Set(
  'and or nor the a an as well both also plus with of our their its'.split(' '),
);

/** The things a text speaks of, so that what is said of one is not taken for what is said of another. */
export class Targets {
  /** Each list is of things named together, in order: an opinion of one is an opinion of all. */
  readonly #groups: number[][] = [];
  readonly #groupOf = new Map<number, number[]>();

  /** @param positions indexes of words, in any order */
  constructor(tokens: readonly Token[], positions: Iterable<number>) {
    let before = -1;
    for (const at of [...new Set(positions)].sort((a, b) => a - b)) {
      if (before < 0 || !together(tokens, before, at)) this.#groups.push([]);
      const group = this.#groups.at(-1)!;
      group.push(at);
      this.#groupOf.set(at, group);
      before = at;
    }
  }

  /** Of the things named together with the one at `at`, the nearest to an opinion. */
  nearest(at: number, opinion: number): number {
    const near = (one: number, other: number) =>
      Math.abs(other - opinion) < Math.abs(one - opinion) ? other : one;
    return this.#groupOf.get(at)!.reduce(near);
  }

  /** Whether something else stands between the one at `at` and an opinion, or is the opinion. */
  rivals(at: number, opinion: number): boolean {
    const first = Math.min(at, opinion);
    const last = Math.max(at, opinion);
    const own = this.#groupOf.get(at);
    return this.#groups.some(
      (group) => group !== own && group.some((other) => other >= first && other <= last),
    );
  }
}

function together(tokens: readonly Token[], before: number, at: number): boolean {
  for (let word = before + 1; word <= at; word++) {
    if (tokens[word]!.startsSentence) return false;
    if (word < at && !LINKS.has(tokens[word]!.lower)) return false;
  }
  return true;
}
