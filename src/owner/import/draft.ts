import type { z } from 'zod';
import { unguardCell } from '../../resources/reviews-csv.ts';
import { withoutInvisible } from '../../schema/invisible.ts';
import { language, webUrl } from '../../schema/primitives.ts';
import { isParted, joinParts } from '../../schema/review-parts.ts';
import type { Origin, ReviewRecord } from '../../schema/review.ts';
import { score as scoreSchema, starsOf, type Score } from '../../schema/score.ts';
import { authorName } from './author.ts';
import { dateIssue } from './date-order.ts';
import type { Field, FieldMap } from './field-map.ts';
import { platformNamed } from './platform-name.ts';
import { isOfBlame, isOfPraise, nameInside } from './column-names.ts';
import type { Format } from './known-formats.ts';
import { separateAdditions } from './platform-additions.ts';
import { plainValue } from './plain-value.ts';
import { ownWords } from './platform-text.ts';
import type { Remark, Remarks } from './remarks.ts';
import {
  isScalar,
  meets,
  SAMPLE_ROWS,
  stateAt,
  type Condition,
  type Row,
  type States,
} from './rows.ts';
import type { Scales } from './scales.ts';
import { parseTime } from './dates.ts';
import { parseRecommendation, parseScore } from './ratings.ts';
import type { DateOrder } from './dates.ts';
import type { Scale } from './ratings.ts';

export type { Row } from './rows.ts';

/** A review as its platform tells it, before any rule. */
export interface Draft {
  /** The fields of the record that the row states. */
  record: Omit<ReviewRecord, 'id' | 'author' | 'source'> & { source: string | undefined };
  /** The full name as given; undefined for an anonymous author. */
  author: string | undefined;
  remarks: Remarks;
}

/** The way in which rows are read: a format, or what took its place. */
export interface Reading extends Omit<Format, 'marks' | 'map' | 'shown' | 'replyShown'>, States {
  fields: FieldMap;
  /** True if the file tells which reviews are shown, or has only those. */
  tellsState: boolean;
  /** Met by rows that are reviews of the business. */
  ours: Condition;
  scales: Scales;
  /** The column that has the best rating of its row. */
  best: string | undefined;
  dateOrder?: DateOrder | undefined;
  hasMadeTitles: boolean;
  /** True when no format and no person said which column is which. */
  isGuess?: boolean;
}

/** Reads one row. @returns the draft, or the reason why the row is no review */
export function readDraft(row: Row, rules: Reading): Draft | { reason: string } {
  const { fields } = rules;
  const ratingValue = valueOf(row, fields.rating);
  const score =
    ownScore(row, rules) ??
    parseScore(ratingValue, scaleOf(row, rules)) ??
    parseRecommendation(valueOf(row, fields.recommended));
  if (score === undefined) return { reason: ratingIssue(ratingValue) };
  const dateValue = valueOf(row, fields.date);
  const written = parseTime(dateValue, rules.dateOrder);
  if (dateValue === undefined) return { reason: 'has no date' };
  if (written === undefined) return { reason: dateIssue(dateValue) };
  const words = new Words(row, rules);
  const isOwnText = meets(row, rules.ownWords) || isOriginal(pathWith(row, fields.text));
  const { text, criticism_at } = isOwnText ? words.parts() : {};
  const title = isOwnText ? words.of('title') : undefined;
  const updated = parseTime(valueOf(row, fields.updated), rules.dateOrder);
  const { reply, replied } = readReply(row, rules, words);
  const media = valueOf(row, fields.media);
  const { remarks } = words;
  if (!isOwnText) remarks.translationsAlone = 1;
  if (!Number.isInteger((score.value * 5) / score.best)) remarks.roundedRatings = 1;
  if (written.isMonth) remarks.monthsOnly = 1;
  if (Array.isArray(media)) remarks.media = media.length;
  const isShown = meets(row, rules.shown);
  return {
    record: {
      // The API's resource name differs by account; its last part is the id of the review.
      source_id: words.of('id')?.replace(/^(?:accounts|places)\/.*\//, ''),
      rating: starsOf(score),
      score: isWholeStars(score) ? undefined : score,
      date: written.day,
      title: title !== undefined && !rules.isOwn && repeats(title, text, rules) ? undefined : title,
      text,
      criticism_at,
      language: languageTag(words.of('language')),
      source: words.of('source'),
      source_url: ifValid(webUrl, words.of('url')),
      owner_reply: reply,
      origin: meets(row, rules.organic) ? originOf(row, rules.origins) : 'incentivized',
      attributes: words.kept(),
      held_back: isShown ? undefined : true,
      verified: isShown && meets(row, rules.confirmed),
      updated_at: latest(updated?.instant, reply && replied?.instant),
    },
    author: meets(row, rules.named) ? authorName(words.of('author')) : undefined,
    remarks,
  };
}

/** Returns the scale: the one that the row tells, or the one of its platform. */
function scaleOf(row: Row, { best, fields, scales }: Reading): Scale {
  const told = best === undefined ? 0 : Number(row[best]);
  if (told > 0) return { best: told, worst: 1 };
  const platform = platformNamed(String(valueOf(row, fields.source) ?? ''));
  return scales.get(platform) ?? scales.get('') ?? { best: 5, worst: 1 };
}

interface Parts {
  text?: string | undefined;
  criticism_at?: number | undefined;
}

/** Reads the texts of a row, and counts what it takes out of them. */
class Words {
  readonly remarks: Remarks = {};
  /** A reply below the text. */
  reply: string | undefined;
  readonly #row: Row;
  readonly #rules: Reading;

  constructor(row: Row, rules: Reading) {
    this.#row = row;
    this.#rules = rules;
  }

  of(field: Field): string | undefined {
    return this.#clean(valueOf(this.#row, this.#rules.fields[field]));
  }

  /** Reads the columns that are kept; their names become words. */
  kept(): Record<string, string> | undefined {
    const kept = (this.#rules.fields.keep ?? []).flatMap((column): [string, string][] => {
      const value = this.#clean(this.#row[column]);
      return value === undefined ? [] : [[column.replaceAll(/[_\s]+/g, ' ').trim(), value]];
    });
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  }

  /** Reads the text, and where its criticism begins if its columns are praise and criticism. */
  parts(): Parts {
    const { fields, isOwn } = this.#rules;
    if (isOwn) return ownParts(this.#row, this.of('text'));
    const columns = pathWith(this.#row, fields.text)?.split('+') ?? [];
    if (columns.length < 2 || !columns.every((column) => isPraise(column) || isBlame(column))) {
      return { text: this.#withoutAdditions(valueOf(this.#row, fields.text)) };
    }
    const read = (is: (column: string) => boolean) => {
      const own = columns.filter(is).map((column) => this.#row[column]);
      const texts = own.map((value) => this.#withoutAdditions(value));
      return texts.filter((text) => text !== undefined).join('\n\n');
    };
    const parts = joinParts(read(isPraise), read(isBlame));
    return parts.text === '' ? {} : parts;
  }

  #clean(value: unknown): string | undefined {
    if (!isScalar(value)) return undefined;
    const unguarded = this.#rules.isGuarded ? unguardCell(String(value)) : String(value);
    const own = ownWords(unguarded.toWellFormed().replaceAll(/\r\n?/g, '\n'));
    if (own.remark) this.remarks[own.remark] = 1;
    const { text, removed } = withoutInvisible(own.text);
    this.#add('strippedCharacters', removed);
    return text.trim() || undefined;
  }

  /** Returns words of the review without what platforms add to them. */
  #withoutAdditions(value: unknown): string | undefined {
    const { text, subRatings, isCut, reply } = separateAdditions(this.#clean(value) ?? '');
    this.#add('subRatings', subRatings);
    if (isCut) this.remarks.cutTexts = 1;
    this.reply ??= reply;
    return text.trim() || undefined;
  }

  #add(remark: Remark, count: number): void {
    if (count > 0) this.remarks[remark] = (this.remarks[remark] ?? 0) + count;
  }
}

const isPraise = (column: string) => isOfPraise(nameInside(column));
const isBlame = (column: string) => isOfBlame(nameInside(column));

function isWholeStars({ value, best }: Score): boolean {
  return best === 5 && Number.isInteger(value);
}

/** Returns the score beside the stars in reviews.json or reviews.csv. */
function ownScore(row: Row, { isOwn = false }: Reading): Score | undefined {
  if (!isOwn) return undefined;
  const value = Number(valueOf(row, ['score.value', 'score']));
  const best = Number(valueOf(row, ['score.best', 'score_best']));
  return scoreSchema.safeParse({ value, best }).data;
}

/** Returns a text with its boundary in reviews.json or reviews.csv, if the two still fit together. */
function ownParts(row: Row, text: string | undefined): Parts {
  const at = valueOf(row, ['criticism_at']);
  const parts = { text, criticism_at: at === undefined ? undefined : Number(at) };
  return isParted(parts) ? parts : { text };
}

function readReply(row: Row, rules: Reading, words: Words) {
  const text = words.of('reply') ?? words.reply;
  const replied = parseTime(valueOf(row, rules.fields.reply_date), rules.dateOrder);
  if (text === undefined) return { replied };
  if (!meets(row, rules.replyShown)) {
    words.remarks.hiddenReplies = 1;
    return { replied };
  }
  // A month would date most replies before their reviews.
  const date = (!replied?.isMonth && replied?.day) || null;
  if (date === null) words.remarks.undatedReplies = 1;
  return { reply: { text, date }, replied };
}

function originOf(row: Row, origins: Format['origins'] = {}): Origin | undefined {
  for (const [path, values] of Object.entries(origins)) {
    const value = stateAt(row, path);
    const origin = Object.hasOwn(values, value) ? values[value] : values['*'];
    if (value !== '' && origin !== undefined) return origin;
  }
  return undefined;
}

/** Tells whether a column has the text of before a translation. */
const isOriginal = (column = '') => /original/i.test(column);

/** Returns the first column that has something. */
function pathWith(row: Row, paths: readonly string[] = []): string | undefined {
  return paths.find((path) => valueOf(row, [path]) !== undefined);
}

function valueOf(row: Row, paths: readonly string[] = []): unknown {
  for (const path of paths) {
    const value = path.includes('+') ? joined(row, path.split('+')) : row[path];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Joins columns into paragraphs. */
function joined(row: Row, columns: readonly string[]): string {
  return columns
    .map((column) => row[column])
    .flatMap((value) => (isScalar(value) ? [String(value).trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');
}

/**
 * Tells whether the titles of a table are made of the first words of texts, as Trustpilot does for texts
 * without one: a customer who wrote "Great" above "Great bread" wrote both, but not most customers did.
 */
export function hasMadeTitles(rows: readonly Row[], { title, text }: FieldMap): boolean {
  const pairs = rows
    .slice(0, SAMPLE_ROWS)
    .map((row) => [valueOf(row, title), valueOf(row, text)].map(plainValue));
  const titled = pairs.filter(([own, words]) => own !== '' && words !== '');
  return titled.filter(([own, words]) => begins(words!, own!)).length * 2 >= titled.length;
}

/** Tells whether a title only repeats the beginning of a text, up to the end of a sentence or a cut. */
function repeats(title: string, text = '', { hasMadeTitles: isMade }: Reading): boolean {
  const [own, words] = [plainValue(title), plainValue(text)];
  const rest = words.slice(own.length);
  const isSentence = /(?:[.!?…]|\.\.\.)$/.test(own) || /^(?:$|[.!?\p{L}])/u.test(rest);
  return begins(words, own) && (isMade || isSentence);
}

const begins = (words: string, title: string) =>
  words.startsWith(title.replace(/\s*(?:…|\.\.\.)$/, ''));

/** Reads `en_US` and `EN` too; returns nothing for an undetermined language. */
function languageTag(value: string | undefined): string | undefined {
  const tag = value?.replaceAll('_', '-').replace(/^[A-Z]+/, (letters) => letters.toLowerCase());
  return tag === 'und' ? undefined : ifValid(language, tag);
}

/** Leaves out what could not be published: a review without its link is better than none. */
function ifValid(schema: z.ZodType, value: string | undefined): string | undefined {
  return value !== undefined && schema.safeParse(value).success ? value : undefined;
}

function latest(...instants: (string | undefined)[]): string | undefined {
  return instants
    .filter((instant) => instant !== undefined)
    .sort()
    .at(-1);
}

function ratingIssue(value: unknown): string {
  if (value === undefined) return 'has no rating, and a review without stars cannot be published';
  if (typeof value === 'object') return 'its rating is an object';
  const text = JSON.stringify(String(value).slice(0, 40));
  return Number(value) > 5
    ? `its rating ${text} is above 5: say --scale 10 or --scale 100`
    : `its rating ${text} is not a rating`;
}
