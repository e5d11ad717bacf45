import { datasetMetadata, readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines, Labels } from '../dataset/labels.ts';
import { recentFrom, tellingKey } from '../dataset/telling.ts';
import { dayNumber, daysUntil, yearOf } from '../base/days.ts';
import { GROUPS, PLACES, type GroupName, type QueryPlace } from '../schema/groups.ts';
import type { Review } from '../schema/review.ts';
import { bitOf, ColumnBuilder, type Column } from './column.ts';
import { fold } from './fold.ts';
import { WordIndex } from './word-index.ts';
import type { Texts } from './strings.ts';

/** Groupings but `sentiment`, which depends on its subject; `worded` tells whether it has a text, `all` is the same of every review. */
export type ColumnKind = Exclude<GroupName, 'sentiment'> | 'worded' | 'all';
const KINDS: readonly ColumnKind[] = [
  ...GROUPS.filter((name) => name !== 'sentiment'),
  'worded',
  'all',
];

/** The values of reviews that searches and counts read, by positions in reviews.json. */
export interface ReviewColumns {
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
  texts: Readonly<Record<QueryPlace, Texts>>;
  values: Readonly<Record<ColumnKind, Column>>;
  words: WordIndex;
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
  return { days, stars, lengths, telling, sides, replyDays, texts, values, words };
}

function valuesOf(
  {
    date,
    rating,
    text,
    title,
    source,
    language,
    attributes = {},
    mentions,
    owner_reply: reply,
  }: Review,
  labels: Labels | undefined,
  isSouthern: boolean,
): Record<ColumnKind, readonly string[]> {
  const month = Number(date.slice(5, 7));
  return {
    year: [yearOf(date)],
    quarter: [`${yearOf(date)}-Q${Math.ceil(month / 3)}`],
    month: [date.slice(0, 7)],
    season: [SEASONS[seasonOf(month, isSouthern)]!],
    weekday: [WEEKDAYS.at(new Date(`${date}T00:00:00Z`).getUTCDay() - 1)!],
    rating: [String(rating)],
    source: [source],
    // Ratings without words have no language, whatever their platform says.
    language: text === null && title === null ? [] : [language],
    replied: [String(reply !== null)],
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
