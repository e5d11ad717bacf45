import { datasetMetadata, readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines, Labels } from '../dataset/labels.ts';
import { dayNumber, daysUntil, yearOf } from '../dataset/since.ts';
import { GROUPS, PLACES, type QueryPlace } from '../schema/groups.ts';
import type { Sentiment } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { fold } from './fold.ts';
import { TextIndex, type Texts } from './text-index.ts';

/** Groupings; `worded` tells whether it has a text, `opinion` and `judgment` are an aspect and a person with the sentiment about them. */
const KINDS = [...GROUPS, 'worded', 'opinion', 'judgment'] as const;
export type LabelKind = (typeof KINDS)[number];

/** The values of reviews that searches and counts read, each list by positions in reviews.json. */
export interface ReviewColumns {
  /** Days as numbers (20260514), newest first. */
  days: number[];
  stars: number[];
  /** Characters of the texts. */
  lengths: number[];
  /** Days until the reply; null without one, or without its day. */
  replyDays: (number | null)[];
  texts: Readonly<Record<QueryPlace, Texts>>;
  /** The values of each kind that a review has, each once. */
  values: Readonly<Record<LabelKind, (readonly string[])[]>>;
  grams: TextIndex;
}

export const SEASONS = ['spring', 'summer', 'autumn', 'winter'];
export const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** The value of kind `opinion` or `judgment` for an aspect or person and the sentiment about it. */
export function opinion({ id, sentiment }: { id: string; sentiment: Sentiment }): string {
  return `${id} ${sentiment}`;
}

/** Reviews that are read between two pauses; it takes a few milliseconds. */
const STEP = 100;

/** Reads every review once, and pauses every few milliseconds, so that its caller can do other work. */
export function* readColumns(
  lines: ReviewLines,
  labelLines?: LabelLines,
): Generator<void, ReviewColumns> {
  const columns: ReviewColumns = {
    grams: new TextIndex(),
    days: [],
    stars: [],
    lengths: [],
    replyDays: [],
    texts: emptyLists(PLACES),
    values: emptyLists(KINDS),
  };
  const isSouthern = (datasetMetadata(lines).business.geo?.latitude ?? 0) < 0;
  const shared = new SharedLists();
  for (let position = 0; position < lines.count; position++) {
    if (position % STEP === STEP - 1) yield;
    const review = readReview(lines, position);
    const { date, rating, text, title, author, owner_reply: reply } = review;
    columns.days.push(dayNumber(date));
    columns.stars.push(rating);
    columns.lengths.push(text?.length ?? 0);
    columns.replyDays.push(reply?.date ? daysUntil(date, reply.date) : null);
    const folded = [text, title, author].map((each) => (each === null ? null : fold(each)));
    for (const [at, place] of PLACES.entries()) columns.texts[place].push(folded[at]!);
    columns.grams.add(folded);
    const values = valuesOf(review, labelLines?.read(position), isSouthern);
    for (const kind of KINDS) columns.values[kind].push(shared.listOf(values[kind]));
  }
  columns.grams.finish();
  return columns;
}

function valuesOf(
  { date, rating, text, source, language, mentions, owner_reply: reply }: Review,
  labels: Labels | undefined,
  isSouthern: boolean,
): Record<LabelKind, readonly string[]> {
  const month = Number(date.slice(5, 7));
  return {
    year: [yearOf(date)],
    quarter: [`${yearOf(date)}-Q${Math.ceil(month / 3)}`],
    month: [date.slice(0, 7)],
    season: [SEASONS[seasonOf(month, isSouthern)]!],
    weekday: [WEEKDAYS.at(new Date(`${date}T00:00:00Z`).getUTCDay() - 1)!],
    rating: [String(rating)],
    source: [source],
    language: [language],
    replied: [String(reply !== null)],
    worded: [String(text !== null)],
    technician: mentions.technicians,
    service: mentions.services,
    aspect: labels?.aspects.map(({ id }) => id) ?? [],
    sentiment: labels ? [labels.sentiment] : [],
    problem: labels?.problems ?? [],
    area: labels?.areas ?? [],
    topic: labels?.topics ?? [],
    opinion: labels?.aspects.map(opinion) ?? [],
    judgment: labels ? judgmentsOf(mentions.technicians, labels.people) : [],
  };
}

/** Keeps one list of the same values: most reviews have the same as many others. */
class SharedLists {
  readonly #known = new Map<string, readonly string[]>();

  /** Returns the list that has each of some values once. */
  listOf(values: readonly string[]): readonly string[] {
    const key = values.join('\n');
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = [...new Set(values)]));
    return known;
  }
}

/** Meteorological seasons: spring is March to May in the north, September to November in the south. */
function seasonOf(month: number, isSouthern: boolean): number {
  return Math.floor(((month + (isSouthern ? 3 : 9)) % 12) / 3);
}

function emptyLists<K extends string, V>(names: readonly K[]): Record<K, V[]> {
  return Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, V[]>;
}

/** Returns what a review says of people: one without an opinion on either side has none. */
function judgmentsOf(mentioned: readonly string[], opinions: Labels['people']): string[] {
  const clear = opinions.filter(({ sentiment }) => sentiment !== 'neutral');
  const others = mentioned.filter((person) => !clear.some(({ id }) => id === person));
  return [...clear, ...others.map((id) => ({ id, sentiment: 'neutral' as const }))].map(opinion);
}
