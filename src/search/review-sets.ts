import type { LabelLines } from '../dataset/labels.ts';
import { LABELS, type GroupName } from '../schema/groups.ts';
import type { Sentiment } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { addBit, createBitset, type Bitset, type Span } from './bitset.ts';

/** Kinds of sets; `opinion` and `judgment` are an aspect and a person with the sentiment about them. */
const KINDS = [...LABELS, 'opinion', 'judgment', 'worded'] as const;
export type SetKind = (typeof KINDS)[number];

/** Positions of reviews by value, of each kind. */
export type ReviewSets = Record<SetKind, Map<string, Bitset>>;

/** The value of kind `opinion` or `judgment` for an aspect or person and the sentiment about it. */
export function opinion(id: string, sentiment: Sentiment): string {
  return `${id} ${sentiment}`;
}

/** Sorts reviews into sets. */
export class SetBuilder {
  readonly sets = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as ReviewSets;
  readonly #count: number;
  readonly #labels: LabelLines | undefined;

  /** @param count of all reviews */
  constructor(count: number, labels: LabelLines | undefined) {
    this.#count = count;
    this.#labels = labels;
  }

  add(position: number, review: Review): void {
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
    const { sentiment, aspects, problems, areas, topics, people } = this.#labels.read(position);
    put('sentiment', [sentiment]);
    put('problem', problems);
    put('area', areas);
    put('topic', topics);
    // A person without an opinion on either side has none.
    const clear = people.filter(({ sentiment }) => sentiment !== 'neutral');
    put(
      'judgment',
      clear.map(({ id, sentiment }) => opinion(id, sentiment)),
    );
    const judged = new Set(clear.map(({ id }) => id));
    const others = mentions.technicians.filter((id) => !judged.has(id));
    put(
      'judgment',
      others.map((id) => opinion(id, 'neutral')),
    );
    for (const { id, sentiment } of aspects) {
      put('aspect', [id]);
      put('opinion', [opinion(id, sentiment)]);
    }
  }

  #add(kind: SetKind, value: string, position: number): void {
    const sets = this.sets[kind];
    let set = sets.get(value);
    if (!set) {
      set = createBitset(this.#count);
      sets.set(value, set);
    }
    addBit(set, position);
  }
}

/** A part of all reviews: the members of a set at positions `from <= position < to`. */
export interface Part extends Span {
  value: string;
  set: Bitset;
}

const SEASONS = ['spring', 'summer', 'autumn', 'winter'];
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Splits the reviews by when they were written. */
export class Periods {
  readonly #days: Uint32Array;
  readonly #all: Bitset;
  readonly #southern: boolean;
  readonly #known = new Map<GroupName, Part[]>();

  /**
   * @param days of the reviews as numbers (20260514), newest first
   * @param all the set of all reviews
   * @param southern hemisphere of the business, where June is winter
   */
  constructor(days: Uint32Array, all: Bitset, southern: boolean) {
    this.#days = days;
    this.#all = all;
    this.#southern = southern;
  }

  /** Returns the parts of a grouping in their order; undefined if it is not one by time. */
  by(name: GroupName): Part[] | undefined {
    let parts = this.#known.get(name);
    if (!parts) {
      parts = this.#split(name);
      if (parts) this.#known.set(name, parts);
    }
    return parts;
  }

  #split(name: GroupName): Part[] | undefined {
    switch (name) {
      case 'year':
        return this.#spans((day) => String(yearOf(day)));
      case 'quarter':
        return this.#spans((day) => `${yearOf(day)}-Q${Math.ceil(monthOf(day) / 3)}`);
      case 'month':
        return this.#spans((day) => `${yearOf(day)}-${String(monthOf(day)).padStart(2, '0')}`);
      case 'season':
        return this.#recurring(SEASONS, (day) => this.#season(monthOf(day)));
      case 'weekday':
        return this.#recurring(WEEKDAYS, weekdayOf);
      default:
        return undefined;
    }
  }

  /** Periods that are one span of positions each, oldest first. */
  #spans(valueOf: (day: number) => string): Part[] {
    const parts: Part[] = [];
    for (let from = 0; from < this.#days.length;) {
      const value = valueOf(this.#days[from]!);
      let to = from + 1;
      while (to < this.#days.length && this.#isIn(value, valueOf, to)) to++;
      parts.push({ value, set: this.#all, from, to });
      from = to;
    }
    return parts.toReversed();
  }

  #isIn(value: string, valueOf: (day: number) => string, position: number): boolean {
    const day = this.#days[position]!;
    return day === this.#days[position - 1] || valueOf(day) === value;
  }

  /** Recurring periods: seasons and weekdays. */
  #recurring(values: readonly string[], indexOf: (day: number) => number): Part[] {
    const { length } = this.#days;
    const parts = values.map((value) => ({
      value,
      set: createBitset(length),
      from: 0,
      to: length,
    }));
    for (let position = 0, last = -1, index = 0; position < length; position++) {
      const day = this.#days[position]!;
      if (day !== last) index = indexOf(day);
      last = day;
      addBit(parts[index]!.set, position);
    }
    return parts;
  }

  /** Meteorological seasons: spring is March to May in the north, September to November in the south. */
  #season(month: number): number {
    return Math.floor(((month + (this.#southern ? 3 : 9)) % 12) / 3);
  }
}

function yearOf(day: number): number {
  return Math.floor(day / 10_000);
}

function monthOf(day: number): number {
  return Math.floor(day / 100) % 100;
}

/** Returns 0 for Monday. */
function weekdayOf(day: number): number {
  const date = new Date(Date.UTC(yearOf(day), monthOf(day) - 1, day % 100));
  return (date.getUTCDay() + 6) % 7;
}

/** The subjects that sentiments are about, or the reviews by what they say of a word; undefined: the reviews. */
export type About =
  | { kind: 'opinion' | 'judgment'; ids: readonly string[] }
  | { kind: 'mention'; said: Readonly<Record<Sentiment, Bitset>> }
  | undefined;

/** Returns the subjects of sentiments: people before aspects, so that no other blame falls on them. */
export function aboutOf(
  people: readonly string[] | undefined,
  aspects: readonly string[] | undefined,
): About {
  if (people) return { kind: 'judgment', ids: people };
  return aspects && { kind: 'opinion', ids: aspects };
}

/** Returns the reviews with a sentiment about any of the subjects, or with it overall. */
export function feeling(sets: ReviewSets, sentiment: Sentiment, about: About): Bitset[] {
  if (!about) {
    const set = sets.sentiment.get(sentiment);
    return set ? [set] : [];
  }
  if (about.kind === 'mention') return [about.said[sentiment]];
  return about.ids.flatMap((id) => sets[about.kind].get(opinion(id, sentiment)) ?? []);
}
