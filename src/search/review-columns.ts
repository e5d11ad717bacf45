import { datasetMetadata, readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines, Labels } from '../dataset/labels.ts';
import { recentFrom, tellingKey } from '../dataset/telling.ts';
import { dayNumber, daysUntil, yearOf } from '../base/days.ts';
import { GROUPS, PLACES, SENTIMENTS, type GroupName } from '../schema/groups.ts';
import type { Review } from '../schema/review.ts';
import { fold } from './tokens.ts';
import { WordIndex } from './word-index.ts';
import type { SearchedTexts } from './strings.ts';
import type { Sentiment } from '../schema/insights.ts';

/** Groupings but `sentiment`, which depends on its subject; `worded` tells whether it has a text, `all` is the same of every review. */
export type ColumnKind = Exclude<GroupName, 'sentiment'> | 'worded' | 'all';
const KINDS: readonly ColumnKind[] = [
  ...GROUPS.filter((name) => name !== 'sentiment'),
  'worded',
  'all',
];

/** The values of reviews that searches and counts read, by positions in reviews.json. */
export interface ReviewColumns extends SearchedTexts {
  /** Days as numbers (20260514), newest first. */
  days: Uint32Array;
  stars: Uint8Array;
  /** Characters of the texts. */
  lengths: Uint32Array;
  /** Keys of src/dataset/telling.ts. */
  telling: Uint16Array;
  /** Sentiments of the reviews as a whole, as bits. */
  sides: Uint8Array;
  /** Days until the reply; -1 if its day is not known, {@link NO_REPLY} without one. */
  replyDays: Int32Array;
  values: Readonly<Record<ColumnKind, Column>>;
}

export const NO_REPLY = -2;
export const SEASONS = ['spring', 'summer', 'autumn', 'winter'];
export const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** Reviews that are read between two pauses; it takes a few milliseconds. */
const STEP = 100;

/** Reads every review once, and pauses every few milliseconds, so that its caller can do other work. */
export function* readColumns(
  lines: ReviewLines,
  labelLines?: LabelLines,
): Generator<void, ReviewColumns> {
  const { count } = lines;
  const words = new WordIndex();
  const days = new Uint32Array(count);
  const stars = new Uint8Array(count);
  const lengths = new Uint32Array(count);
  const telling = new Uint16Array(count);
  const sides = new Uint8Array(count);
  const replyDays = new Int32Array(count);
  const texts = byName(PLACES, (): (string | null)[] => []);
  let recent = 0;
  const builders = byName(KINDS, () => new ColumnBuilder());
  const isSouthern = (datasetMetadata(lines).business.geo?.latitude ?? 0) < 0;
  for (let position = 0; position < count; position++) {
    if (position % STEP === STEP - 1) yield;
    const review = readReview(lines, position);
    const { date, rating, text, mentions, owner_reply: reply } = review;
    days[position] = dayNumber(date);
    stars[position] = rating;
    lengths[position] = text?.length ?? 0;
    replyDays[position] = daysToReply(date, reply);
    const folded = PLACES.map((place) => (review[place] === null ? null : fold(review[place])));
    for (const [at, place] of PLACES.entries()) texts[place].push(folded[at]!);
    words.add(PLACES.map((place) => review[place]));
    const labels = labelLines?.read(position);
    if (labels) sides[position] = bitOf(labels.sentiment);
    const said: Partial<Record<ColumnKind, number[]>> = {
      aspect: labels?.aspects.map(({ sentiment }) => bitOf(sentiment)) ?? [],
      technician: labels ? mentions.technicians.map((id) => sidesOn(id, labels.people)) : [],
    };
    const values = valuesOf(review, labels, isSouthern);
    if (position === 0) recent = recentFrom(date);
    telling[position] = tellingKey(review, values.aspect, recent);
    for (const kind of KINDS) builders[kind].add(values[kind], said[kind]);
  }
  yield* words.finish();
  const values = byName(KINDS, (kind) => builders[kind].build());
  const positions = Array.from(days.keys());
  return { positions, days, stars, lengths, telling, sides, replyDays, texts, values, words };
}

function valuesOf(
  review: Review,
  labels: Labels | undefined,
  isSouthern: boolean,
): Record<ColumnKind, readonly string[]> {
  const { date, text, title, mentions, attributes = {} } = review;
  const month = Number(date.slice(5, 7));
  return {
    year: [yearOf(date)],
    quarter: [`${yearOf(date)}-Q${Math.ceil(month / 3)}`],
    month: [date.slice(0, 7)],
    season: [SEASONS[seasonOf(month, isSouthern)]!],
    weekday: [WEEKDAYS.at(new Date(`${date}T00:00:00Z`).getUTCDay() - 1)!],
    rating: [String(review.rating)],
    source: [review.source],
    // Ratings without words have no language, whatever their platform says.
    language: text === null && title === null ? [] : [review.language],
    replied: [String(review.owner_reply !== null)],
    worded: [String(text !== null)],
    technician: mentions.technicians,
    service: mentions.services,
    aspect: labels?.aspects.map(({ id }) => id) ?? [],
    problem: labels?.problems ?? [],
    area: labels?.areas ?? [],
    topic: labels?.topics ?? [],
    attribute: Object.entries(attributes).map((each) => each.join(': ')),
    all: ['all'],
  };
}

/** Meteorological seasons: spring is March to May in the north, September to November in the south. */
function seasonOf(month: number, isSouthern: boolean): number {
  return Math.floor(((month + (isSouthern ? 3 : 9)) % 12) / 3);
}

/** Returns the sentiments of a review about a person; it is neutral without an opinion on either side. */
function sidesOn(person: string, opinions: Labels['people']): number {
  const own = opinions.filter(({ id, sentiment }) => id === person && sentiment !== 'neutral');
  return own.reduce((sides, { sentiment }) => sides | bitOf(sentiment), 0) || bitOf('neutral');
}

/** Returns the days until a reply as the column has them. */
function daysToReply(date: string, reply: Review['owner_reply']): number {
  if (!reply) return NO_REPLY;
  return reply.date === null ? -1 : daysUntil(date, reply.date);
}

function byName<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}

/**
 * The values of one kind that reviews have, as numbers: those of a review are the ids from
 * `starts[position]` up to `starts[position + 1]`, each once.
 */
export interface Column {
  /** By id. */
  values: readonly string[];
  starts: Uint32Array;
  ids: Uint32Array;
  /** Beside each id the sentiments of that review about the value, as bits. */
  sides: Uint8Array;
}

/** Returns the bit of a sentiment. */
export function bitOf(sentiment: Sentiment): number {
  return 1 << SENTIMENTS.indexOf(sentiment);
}

/** Makes a column review by review. */
class ColumnBuilder {
  readonly #known = new Map<string, number>();
  readonly #starts = [0];
  readonly #ids: number[] = [];
  readonly #sides: number[] = [];

  /** Adds the values of the next review. @param sides the sentiments about each */
  add(values: readonly string[], sides: readonly number[] = []): void {
    const start = this.#ids.length;
    for (const [at, value] of values.entries()) {
      const id = this.#known.get(value) ?? this.#known.size;
      this.#known.set(value, id);
      const known = this.#ids.indexOf(id, start);
      if (known === -1) this.#sides[this.#ids.push(id) - 1] = sides[at] ?? 0;
      else this.#sides[known]! |= sides[at] ?? 0;
    }
    this.#starts.push(this.#ids.length);
  }

  build(): Column {
    return {
      values: [...this.#known.keys()],
      starts: Uint32Array.from(this.#starts),
      ids: Uint32Array.from(this.#ids),
      sides: Uint8Array.from(this.#sides),
    };
  }
}

/** Passes no review. */
export const NEVER = (): boolean => false;

/** Returns a test for reviews with any of some values; `NEVER` if no review has one. */
export function hasAny(
  { values, starts, ids }: Column,
  wanted: readonly string[],
): (position: number) => boolean {
  const isWanted = Uint8Array.from(values, (value) => Number(wanted.includes(value)));
  if (!isWanted.includes(1)) return NEVER;
  return (position) => {
    for (let at = starts[position]!; at < starts[position + 1]!; at++) {
      if (isWanted[ids[at]!] === 1) return true;
    }
    return false;
  };
}

/** The positions of the reviews that mention a word, with the sentiments of the clauses that have it, as bits. */
export type SaidOfWord = ReadonlyMap<number, number>;

/** The subject of sentiments: some people or aspects, or a word that reviews mention; undefined: the reviews. */
export type About =
  | { kind: 'technician' | 'aspect'; ids: readonly string[] }
  | { kind: 'word'; said: SaidOfWord }
  | undefined;

/** Returns the sentiments of each review about something, as bits, by position. */
export function sidesOf({ sides, days, values }: ReviewColumns, about: About): Uint8Array {
  if (!about) return sides;
  const own = new Uint8Array(days.length);
  if (about.kind === 'word') {
    for (const [position, sides] of about.said) own[position] = sides;
    return own;
  }
  const column = values[about.kind];
  const isAbout = Uint8Array.from(column.values, (id) => Number(about.ids.includes(id)));
  for (let position = 0; position < own.length; position++) {
    for (let at = column.starts[position]!; at < column.starts[position + 1]!; at++) {
      if (isAbout[column.ids[at]!] === 1) own[position]! |= column.sides[at]!;
    }
  }
  return own;
}
