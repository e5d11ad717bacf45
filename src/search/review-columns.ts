import { readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines, Labels } from '../dataset/labels.ts';
import { dayNumber, daysUntil, yearOf } from '../dataset/since.ts';
import { GROUPS, PLACES, type QueryPlace } from '../schema/groups.ts';
import type { Sentiment } from '../schema/insights.ts';
import { fold } from './fold.ts';

/** Groupings; `opinion` and `judgment` are an aspect and a person with the sentiment about them. */
const KINDS = [...GROUPS, 'opinion', 'judgment'] as const;
export type Kind = (typeof KINDS)[number];

/** What searches and counts know of the reviews, each list by their positions in reviews.json. */
export interface ReviewColumns {
  /** Days as numbers (20260514), newest first. */
  days: number[];
  stars: number[];
  /** Characters of the texts. */
  lengths: number[];
  /** Days until the reply; null without one, or without its day. */
  replyDays: (number | null)[];
  /** Folded; null where a review has none. */
  texts: Readonly<Record<QueryPlace, (string | null)[]>>;
  /** The values of each kind that a review has, each once. */
  values: Readonly<Record<Kind, (readonly string[])[]>>;
}

export const SEASONS = ['spring', 'summer', 'autumn', 'winter'];
export const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** The value of kind `opinion` or `judgment` for an aspect or person and the sentiment about it. */
export function opinion({ id, sentiment }: { id: string; sentiment: Sentiment }): string {
  return `${id} ${sentiment}`;
}

/** Reads reviews into columns. */
export class ColumnReader {
  readonly columns: ReviewColumns = {
    days: [],
    stars: [],
    lengths: [],
    replyDays: [],
    texts: emptyLists(PLACES),
    values: emptyLists(KINDS),
  };
  readonly #lines: ReviewLines;
  readonly #labels: LabelLines | undefined;
  readonly #isSouthern: boolean;
  readonly #known = new Map<string, readonly string[]>();

  /** @param isSouthern if the business is on the hemisphere where June is winter */
  constructor(lines: ReviewLines, labels: LabelLines | undefined, isSouthern: boolean) {
    this.#lines = lines;
    this.#labels = labels;
    this.#isSouthern = isSouthern;
  }

  /** Reads the next review. */
  add(position: number): void {
    const { columns } = this;
    const review = readReview(this.#lines, position);
    const { date, rating, text, owner_reply: reply } = review;
    columns.days.push(dayNumber(date));
    columns.stars.push(rating);
    columns.lengths.push(text?.length ?? 0);
    columns.replyDays.push(reply?.date ? daysUntil(date, reply.date) : null);
    for (const place of PLACES) {
      const written = review[place];
      columns.texts[place].push(written === null ? null : fold(written));
    }
    const { technicians, services } = review.mentions;
    const labels = this.#labels?.read(position);
    const month = Number(date.slice(5, 7));
    const values: Record<Kind, readonly string[]> = {
      year: [yearOf(date)],
      quarter: [`${yearOf(date)}-Q${Math.ceil(month / 3)}`],
      month: [date.slice(0, 7)],
      season: [SEASONS[this.#seasonOf(month)]!],
      weekday: [WEEKDAYS[weekdayOf(date)]!],
      rating: [String(rating)],
      aspect: labels?.aspects.map(({ id }) => id) ?? [],
      sentiment: labels ? [labels.sentiment] : [],
      technician: technicians,
      service: services,
      problem: labels?.problems ?? [],
      area: labels?.areas ?? [],
      topic: labels?.topics ?? [],
      source: [review.source],
      language: [review.language],
      replied: [String(reply !== null)],
      opinion: labels?.aspects.map(opinion) ?? [],
      judgment: labels ? judgmentsOf(technicians, labels.people) : [],
    };
    for (const kind of KINDS) columns.values[kind].push(this.#shared(values[kind]));
  }

  /** Returns the one list of some values, each once: most reviews have the same as many others. */
  #shared(values: readonly string[]): readonly string[] {
    const key = values.join('\n');
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = [...new Set(values)]));
    return known;
  }

  /** Meteorological seasons: spring is March to May in the north, September to November in the south. */
  #seasonOf(month: number): number {
    return Math.floor(((month + (this.#isSouthern ? 3 : 9)) % 12) / 3);
  }
}

function emptyLists<K extends string, V>(names: readonly K[]): Record<K, V[]> {
  return Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, V[]>;
}

/** Returns 0 for Monday. */
function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Returns what a review says of people: one without an opinion on either side has none. */
function judgmentsOf(mentioned: readonly string[], opinions: Labels['people']): string[] {
  const clear = opinions.filter(({ sentiment }) => sentiment !== 'neutral');
  const others = mentioned.filter((person) => !clear.some(({ id }) => id === person));
  return [...clear, ...others.map((id) => ({ id, sentiment: 'neutral' as const }))].map(opinion);
}
