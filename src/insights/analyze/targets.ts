import { firstFrom } from './sorted.ts';
import type { Token } from './tokens.ts';

/** Words that may stand between things named together: `the food and the service`. */
const LINKS = new Set(
  'and or nor the a an as well both also plus with of our their its'.split(' '),
);

/** Things named together: indexes into the list of all, end exclusive. */
interface Group {
  start: number;
  end: number;
}

/** The things a text speaks of, so that what is said of one is not taken for what is said of another. */
export class Targets {
  /** Indexes of words, ascending. */
  readonly #positions: readonly number[];
  /** For each, the list it is named in: an opinion of one of a list is an opinion of all. */
  readonly #groups = new Map<number, Group>();

  /** @param positions indexes of words, in any order */
  constructor(tokens: readonly Token[], positions: Iterable<number>) {
    this.#positions = [...new Set(positions)].sort((a, b) => a - b);
    let group: Group | undefined;
    this.#positions.forEach((at, index) => {
      const before = this.#positions[index - 1];
      if (!group || before === undefined || !together(tokens, before, at)) {
        group = { start: index, end: index };
      }
      group.end = index + 1;
      this.#groups.set(at, group);
    });
  }

  /** Returns the nearest to an opinion of the things named together with the one at `at`. */
  nearest(at: number, opinion: number): number {
    const { start, end } = this.#groups.get(at)!;
    const next = this.#firstFrom(opinion);
    const after = this.#positions[Math.max(start, Math.min(next, end - 1))]!;
    const before = this.#positions[Math.max(start, Math.min(next, end) - 1)]!;
    return Math.abs(before - opinion) <= Math.abs(after - opinion) ? before : after;
  }

  /** Tells whether something else stands between the one at `at` and an opinion, or is the opinion. */
  rivals(at: number, opinion: number): boolean {
    const { start, end } = this.#groups.get(at)!;
    const first = this.#firstFrom(Math.min(at, opinion));
    const last = this.#firstFrom(Math.max(at, opinion) + 1) - 1;
    return first < start || last >= end;
  }

  #firstFrom(position: number): number {
    return firstFrom(this.#positions, position, (at) => at);
  }
}

function together(tokens: readonly Token[], before: number, at: number): boolean {
  for (let word = before + 1; word <= at; word++) {
    if (tokens[word]!.startsSentence) return false;
    if (word < at && !LINKS.has(tokens[word]!.lower)) return false;
  }
  return true;
}
