import type { LabelLines } from '../dataset/labels.ts';
import { readReview, type ReviewLines } from '../dataset/document.ts';
import { dayNumber } from '../dataset/since.ts';
import { LABELS } from '../schema/groups.ts';
import type { Sentiment } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { addBit, createBitset, type Bitset } from './bitset.ts';

/** Kinds of sets; `opinion` is an aspect with its sentiment, see {@link opinion}. */
const KINDS = [...LABELS, 'opinion', 'worded'] as const;
export type SetKind = (typeof KINDS)[number];

/** Positions of reviews by value, of each kind. */
export type ReviewSets = Record<SetKind, Map<string, Bitset>>;

/** The value of kind `opinion` for an aspect and the sentiment about it. */
export function opinion(aspect: string, sentiment: Sentiment): string {
  return `${aspect} ${sentiment}`;
}

/** Sorts reviews into sets while their texts are indexed. */
export class SetBuilder {
  readonly sets = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as ReviewSets;
  /** Days as numbers (20260514), newest first. */
  readonly days: Uint32Array;
  readonly titles: (string | null)[] = [];
  readonly #lines: ReviewLines;
  readonly #labels: LabelLines | undefined;

  constructor(lines: ReviewLines, labels: LabelLines | undefined) {
    this.#lines = lines;
    this.#labels = labels;
    this.days = new Uint32Array(lines.count);
  }

  /** Reads every review once and yields its text. */
  *texts(): Generator<string | null> {
    for (let position = 0; position < this.#lines.count; position++) {
      const review = readReview(this.#lines, position);
      this.days[position] = dayNumber(review.date);
      this.titles.push(review.title);
      this.#sort(position, review);
      yield review.text;
    }
  }

  #sort(position: number, review: Review): void {
    const { rating, source, language, mentions } = review;
    const put = (kind: SetKind, values: readonly string[]) => {
      for (const value of values) this.#add(kind, value, position);
    };
    put('rating', [String(rating)]);
    put('source', [source]);
    put('language', [language]);
    put('replied', [String(review.owner_reply !== null)]);
    put('worded', [String(review.text !== null)]);
    put('technician', mentions.technicians);
    put('service', mentions.services);
    if (!this.#labels) return;
    const { sentiment, aspects, problems, areas, topics } = this.#labels.read(position);
    put('sentiment', [sentiment]);
    put('problem', problems);
    put('area', areas);
    put('topic', topics);
    for (const { id, sentiment } of aspects) {
      put('aspect', [id]);
      put('opinion', [opinion(id, sentiment)]);
    }
  }

  #add(kind: SetKind, value: string, position: number): void {
    const sets = this.sets[kind];
    let set = sets.get(value);
    if (!set) {
      set = createBitset(this.#lines.count);
      sets.set(value, set);
    }
    addBit(set, position);
  }
}
