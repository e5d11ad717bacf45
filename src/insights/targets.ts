import type { Token } from './tokens.ts';

/** Words that may stand between things named together: `the food and the service`. */
const LINKS = new Set(
  'and or nor the a an as well both also plus with of our their its'.split(' '),
);

/** The things a text speaks of, so that what is said of one is not taken for what is said of another. */
export class Targets {
  readonly #positions: readonly number[];
  /** Things named together share a number: an opinion of one is an opinion of all. */
  readonly #groups = new Map<number, number>();

  /** @param positions indexes of words, in any order */
  constructor(tokens: readonly Token[], positions: Iterable<number>) {
    this.#positions = [...new Set(positions)].sort((a, b) => a - b);
    let group = 0;
    this.#positions.forEach((at, index) => {
      const before = this.#positions[index - 1];
      if (before !== undefined && !together(tokens, before, at)) group++;
      this.#groups.set(at, group);
    });
  }

  /** Whether an opinion is nearer to another thing than to the one at `at`. */
  rivals(at: number, opinion: number): boolean {
    const first = Math.min(at, opinion);
    const last = Math.max(at, opinion);
    const group = this.#groups.get(at);
    return this.#positions.some(
      (other) => other >= first && other <= last && this.#groups.get(other) !== group,
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
