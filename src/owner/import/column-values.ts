import { isNobody } from './author.ts';
import { columnWords, isOfOthers, tellingAs } from './column-names.ts';
import { DATE_ORDERS, parseTime } from './dates.ts';
import type { Field } from './field-map.ts';
import { numberIn, parseRating } from './ratings.ts';
import { columnsOf, valuesAt, type Row } from './rows.ts';
import { WHOLE_WORDS, wordsOf } from './words.ts';

export interface TableColumn {
  name: string;
  /** Its name as plain words. */
  words: string;
  /** The values that are not empty. */
  values: readonly string[];
  /** True if most of them are dates. */
  isDate: boolean;
}

export function tableColumns(rows: readonly Row[]): TableColumn[] {
  const names = columnsOf(rows);
  const wordsIn = columnWords(names);
  return names.map((name) => {
    const values = valuesAt(rows, name);
    const isDay = (value: string) => DATE_ORDERS.some((order) => parseTime(value, order));
    return { name, words: wordsIn(name), values, isDate: mostly({ values }, isDay) };
  });
}

/** Up to this many rows may well agree by chance: a hand-typed list may have three 5s. */
export const A_HANDFUL = 5;
export const MAX_PLATFORMS = 10;
/** More names than these are hardly of places, products or agents. */
const MAX_GROUPS = 20;

type Fit = (column: TableColumn, rows: number, all: readonly TableColumn[]) => boolean;

const FITS: Partial<Record<Field, Fit>> = {
  id: ({ values }) => distinct(values) === values.length,
  rating: (column, _, all) =>
    isRating(column) &&
    (!isConstant(column) || all.every((other) => !hasStars(other) || isSame(other, column))),
  date: ({ isDate }) => isDate,
  reply_date: ({ isDate }) => isDate,
  updated: ({ isDate }) => isDate,
  author: (column, rows) => isProse(column) && isOfRows(column, rows),
  title: (column, rows, all) =>
    isProse(column) && isOfRows(column, rows) && !isOfPerson(column, all) && !isOfTool(column, all),
  text: (column, rows) => (rows <= A_HANDFUL || !isConstant(column)) && isProse(column),
  reply: (column) => isProse(column) && !column.name.includes('?'),
  url: (column) => !isConstant(column) && column.values.some((value) => URL.canParse(value)),
  source: (column) =>
    isProse(column) &&
    distinct(column.values) <= MAX_PLATFORMS &&
    !column.values.some((value) => ORIGIN.test(wordsOf(value))),
};

/** Tells whether the values of a column are such as a field has. */
export function fits(
  field: Field,
  column: TableColumn,
  rows: number,
  all: readonly TableColumn[],
): boolean {
  return FITS[field]?.(column, rows, all) ?? true;
}

/** Ways in which a shop came by a review: a column that names one names no platform. */
const ORIGIN =
  /^(?:web|website|widget|e ?mail|import(?:ed)?|csv|manual(?:ly)?|api|app|mobile|desktop|sms|form|link|qr(?: code)?|on ?site|organic|invit(?:ed|ation)|admin|kiosk|mail ask|unknown)$/;

/** Tells whether a title is beside the name of a person and not beside a text: it may be that of a job. */
function isOfPerson(column: TableColumn, all: readonly TableColumn[]): boolean {
  const at = all.indexOf(column);
  const isCalled = (other: TableColumn | undefined, field: Field) =>
    tellingAs(field, other?.words ?? '') !== undefined;
  return (
    column.words === 'title' && isCalled(all[at - 1], 'author') && !isCalled(all[at + 1], 'text')
  );
}

/** Tells whether a summary is among what a tool made of the reviews, and not of the customer. */
function isOfTool({ words }: TableColumn, all: readonly TableColumn[]): boolean {
  return words === 'summary' && all.some((other) => /sentiment|suggest/.test(other.words));
}

/** Tells whether names or titles may be of the reviews: names of a few places, products or agents repeat. */
function isOfRows(column: TableColumn, rows: number): boolean {
  if (isConstant(column)) return false;
  const own = column.values.filter((value) => !isNobody(value));
  const groups = distinct(own);
  return rows <= A_HANDFUL || own.length === 0 || groups > MAX_GROUPS || groups * 2 > own.length;
}

export function isConstant({ values }: TableColumn): boolean {
  return values.length > 1 && distinct(values) === 1;
}

export function distinct(values: readonly string[]): number {
  return new Set(values).size;
}

function hasStars(column: TableColumn): boolean {
  return mostly(column, (value) => parseRating(value, 5) !== undefined);
}

export function isSame(one: TableColumn, other: TableColumn): boolean {
  return one.values.join('\n') === other.values.join('\n');
}

/** Full and half stars, and points of 10 or 100, are given. */
function isRating(column: TableColumn): boolean {
  if (!mostly(column, (value) => parseRating(value, 100, 0) !== undefined)) return false;
  const numbers = column.values.filter((value) => Number.isFinite(numberIn(value)));
  return numbers.some((value) => numberIn(value) > 5) || !numbers.some(hasTenths);
}

/** Returns true for words of people: no numbers, days, addresses or objects as text. */
function isProse(column: TableColumn): boolean {
  const isOther = (value: string) =>
    /^[\d.,:%\s-]+$/.test(value) ||
    /^(?:true|false|yes|no)$/i.test(value) ||
    /^\{['"].*\}$|^\[object/s.test(value) ||
    URL.canParse(value);
  return !mostly(column, isOther) && !column.isDate;
}

export function mostly(
  { values }: Pick<TableColumn, 'values'>,
  holds: (value: string) => boolean | object | undefined,
): boolean {
  let left = Math.floor(values.length / 5);
  return values.length > 0 && values.every((value) => holds(value) || left-- > 0);
}

/** Tells whether the values are sentences, hardly any of which comes again. */
export function isOfSentences(column: TableColumn): boolean {
  const { values, words } = column;
  const isOwn = distinct(values) * 4 >= values.length * 3 && !isOfOthers('text', words);
  return isOwn && hasSentences(column) && isProse(column);
}

/** Tells whether values are usually as long as sentences; a letter that is a word or a syllable counts as two. */
export function hasSentences({ values }: TableColumn): boolean {
  const letters = values.join('').replaceAll(LETTER_AS_WORD, 'xx').length;
  return letters > 0 && letters >= SENTENCE * values.length;
}

const LETTER_AS_WORD = new RegExp(`[${WHOLE_WORDS}]`, 'gu');
/** The letters of a short sentence. */
const SENTENCE = 15;

/** Averages of a place have other decimals; customers give full and half stars. */
export const hasTenths = (value: string) => !Number.isInteger(numberIn(value) * 2);
