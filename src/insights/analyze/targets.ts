import type { Language } from '../languages/language.ts';
import { firstFrom } from './spans.ts';
import type { Token } from './tokens.ts';

/** Targets named together: a range of indexes into all targets, end exclusive. */
interface Group {
  start: number;
  end: number;
}

/** The targets of a text, to tell which of them an opinion is about. */
export class Targets {
  /** Indexes of words, ascending. */
  readonly #positions: readonly number[];
  /** The group of each target: an opinion of one member is an opinion of all. */
  readonly #groups = new Map<number, Group>();

  /** @param positions indexes of words, in any order */
  constructor(
    tokens: readonly Token[],
    positions: Iterable<number>,
    { listWords }: Pick<Language, 'listWords'>,
  ) {
    this.#positions = [...new Set(positions)].sort((a, b) => a - b);
    let group: Group | undefined;
    this.#positions.forEach((at, index) => {
      const before = this.#positions[index - 1];
      if (!group || before === undefined || !namedTogether(tokens, before, at, listWords)) {
        group = { start: index, end: index };
      }
      group.end = index + 1;
      this.#groups.set(at, group);
    });
  }

  /** Returns the member of the group of `at` that is closest to an opinion. */
  nearest(at: number, opinion: number): number {
    const { start, end } = this.#groups.get(at)!;
    const next = this.#firstFrom(opinion);
    const after = this.#positions[Math.max(start, Math.min(next, end - 1))]!;
    const before = this.#positions[Math.max(start, Math.min(next, end) - 1)]!;
    return Math.abs(before - opinion) <= Math.abs(after - opinion) ? before : after;
  }

  /** Tells whether a target of another group is between `at` and an opinion, or is the opinion. */
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

function namedTogether(
  tokens: readonly Token[],
  before: number,
  at: number,
  listWords: ReadonlySet<string>,
): boolean {
  for (let word = before + 1; word <= at; word++) {
    if (tokens[word]!.startsSentence) return false;
    if (word < at && !listWords.has(tokens[word]!.lower)) return false;
  }
  return true;
}
