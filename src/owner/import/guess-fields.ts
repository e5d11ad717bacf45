import { isNobody } from './author.ts';
import { dateIssue } from './date-order.ts';
import { FIELDS, type Field, type FieldMap } from './field-map.ts';
import {
  columnWords,
  isGivenName,
  isOfBlame,
  isOfOthers,
  isOfPraise,
  isSurname,
  tellingAs,
} from './column-names.ts';
import { wordsOf } from './words.ts';
import { isPlatform, platformNamed } from './platform-name.ts';
import { columnsOf, valuesAt, type Row } from './rows.ts';
import { DATE_ORDERS, parseTime } from './dates.ts';
import { parseRating } from './ratings.ts';

interface Column {
  name: string;
  /** Its name as plain words. */
  words: string;
  /** The values that are not empty. */
  values: readonly string[];
  /** True if most of them are dates. */
  isDate: boolean;
}

function tableColumns(rows: readonly Row[]): Column[] {
  const names = columnsOf(rows);
  const wordsIn = columnWords(names);
  return names.map((name) => {
    const values = valuesAt(rows, name);
    const isDay = (value: string) => DATE_ORDERS.some((order) => parseTime(value, order));
    return { name, words: wordsIn(name), values, isDate: mostly({ values }, isDay) };
  });
}

export type Guess = ReturnType<typeof guessFields>;

/** Up to this many rows may well agree by chance: a hand-typed list may have three 5s. */
export const A_HANDFUL = 5;
const MOST_PLATFORMS = 10;
/** More names than these are hardly of places, products or agents. */
const MOST_GROUPS = 20;

/**
 * Guesses which column is which field. Names must be usual ones, and the values of all rows must be
 * such as the field has: a column with the same in every row is of the place, not of its reviews.
 */
export function guessFields(rows: readonly Row[]) {
  const columns = tableColumns(rows);
  const fields: FieldMap = {};
  /** Fields for which several columns are possible, whose values differ. */
  const unclear: Partial<Record<Field, string[]>> = {};
  const taken = new Set<string>();
  const order: readonly Field[] = ['rating', 'date', 'reply', 'reply_date', ...FIELDS];
  for (const field of order) {
    if (fields[field] || (field === 'reply_date' && !fields.reply)) continue;
    const found = candidatesFor(field, columns, rows.length, taken);
    const [first, ...others] = found;
    if (first === undefined) continue;
    const differ = others.some((other) => !isSame(other, first));
    if (differ && MUST_BE_CLEAR.has(field)) {
      unclear[field] = found.map(({ name }) => name);
      continue;
    }
    taken.add(first.name);
    fields[field] = [first.name];
    if (field !== 'text' || !/\boriginal\b/.test(first.words)) continue;
    // Some platforms fill the column of originals for translated texts alone.
    const [other] = candidatesFor(field, columns, rows.length, taken);
    if (other) taken.add(other.name);
    if (other && first.values.length < other.values.length) fields.text = [first.name, other.name];
  }
  const platforms = columns.find(({ name, values, words }) => {
    const known = values.filter((value) => isPlatform(platformNamed(value))).length;
    const isNamed =
      /\b(?:source|provider|platform)\b/.test(words) && distinct(values) <= MOST_PLATFORMS;
    return !taken.has(name) && known > 0 && (isNamed || known === values.length);
  });
  if (platforms) fields.source ??= [platforms.name];
  const given = columns.find(({ words }) => isGivenName(words));
  const surname = columns.find(({ words }) => isSurname(words));
  if (given) fields.author ??= [surname ? `${given.name}+${surname.name}` : given.name];
  const praise = columns.find(({ words }) => isOfPraise(words));
  const blame = columns.find(({ words }) => isOfBlame(words));
  if (praise && blame && praise.values.length + blame.values.length > 0) {
    const parts = `${praise.name}+${blame.name}`;
    const [other] = fields.text ?? [];
    if (other === undefined) fields.text = [parts];
    else if (columns.some(({ name, values }) => name === other && distinct(values) > 1)) {
      delete fields.text;
      unclear.text = [other, parts, `${other}+${parts}`];
    }
  }
  return { fields, unclear };
}

/** Returns the reasons why columns with the name of a field cannot be it, with the first such value. */
export function unfitFor(field: 'rating' | 'date', rows: readonly Row[]): string[] {
  const isFit = (value: string) =>
    field === 'rating'
      ? parseRating(value, 100, 0) !== undefined
      : parseTime(value, 'dmy') !== undefined;
  return columnsOf(rows).flatMap((column) => {
    if (tellingAs(field, wordsOf(column)) === undefined) return [];
    const values = valuesAt(rows, column);
    const unfit = values.find((value) => !isFit(value));
    const given = JSON.stringify((unfit ?? values.find(hasTenths))?.slice(0, 40));
    if (unfit !== undefined) {
      const reason = field === 'date' ? dateIssue(unfit) : `its rating ${given} is not a rating`;
      return [`${column} cannot be the ${field}: ${reason}.`];
    }
    const areAverages = field === 'rating' && values.some(hasTenths);
    return areAverages ? [`${column} has ratings such as ${given}, as averages are.`] : [];
  });
}

/** Averages of a place have other decimals; customers give full and half stars. */
const hasTenths = (value: string) => !Number.isInteger(numberIn(value) * 2);

/** Returns the columns that may be a field by their values alone, which no name tells, for a person to confirm. */
export function columnsByValues(rows: readonly Row[], found: FieldMap) {
  const taken = new Set(Object.values(found).flat());
  const columns = tableColumns(rows).filter(
    ({ name, words }) => !taken.has(name) && !/ids?$/.test(words),
  );
  const fitting = (field: Field, isFit: (column: Column) => boolean) =>
    found[field] ? [] : columns.filter(isFit).map(({ name }) => name);
  const isScore = (value: string) => parseRating(value, 10, 0) !== undefined;
  return {
    date: fitting('date', ({ isDate, words }) => isDate && !isOfOthers('date', words)),
    rating: fitting('rating', (column) => !isConstant(column) && mostly(column, isScore)),
    text: fitting('text', isOfSentences),
  };
}

/** Tells whether the values are sentences, hardly any of which comes again. */
function isOfSentences(column: Column): boolean {
  const { values, words } = column;
  const isOwn = distinct(values) * 4 >= values.length * 3 && !isOfOthers('text', words);
  return isOwn && lettersIn(column) >= SENTENCE && isProse(column);
}

/** Returns the usual number of letters in a value; a letter that is a word or a syllable counts as two. */
function lettersIn({ values }: Column): number {
  return values.join('').replaceAll(WHOLE_WORDS, 'xx').length / values.length;
}

const WHOLE_WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** The letters of a short sentence. */
const SENTENCE = 15;

/** Fields with which a wrong column would make a wrong review. */
const MUST_BE_CLEAR = new Set<Field>(['rating', 'date', 'author', 'text']);

/** Returns the columns with the most telling name of those whose values fit. */
function candidatesFor(
  field: Field,
  columns: readonly Column[],
  rows: number,
  taken: ReadonlySet<string>,
): Column[] {
  const fits = columns.filter(
    (column) => !taken.has(column.name) && (FITS[field]?.(column, rows, columns) ?? true),
  );
  const telling = fits.flatMap((column) => {
    const rank = column.values.length > 0 ? tellingAs(field, column.words) : undefined;
    return rank === undefined ? [] : [{ column, rank }];
  });
  const best = Math.min(...telling.map(({ rank }) => rank));
  return telling.filter(({ rank }) => rank === best).map(({ column }) => column);
}

type Fit = (column: Column, rows: number, all: readonly Column[]) => boolean;

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
    isProse(column) && isOfRows(column, rows) && !isOfPerson(column, all),
  text: (column, rows) => (rows <= A_HANDFUL || !isConstant(column)) && isProse(column),
  reply: (column) => isProse(column) && !column.name.includes('?'),
  url: (column) => !isConstant(column) && column.values.some((value) => URL.canParse(value)),
  source: (column) =>
    isProse(column) &&
    distinct(column.values) <= MOST_PLATFORMS &&
    !column.values.some((value) => ORIGIN.test(wordsOf(value))),
};

/** Ways in which a shop came by a review: a column that names one names no platform. */
const ORIGIN =
  /^(?:web|website|widget|e ?mail|import(?:ed)?|csv|manual(?:ly)?|api|app|mobile|desktop|sms|form|link|qr(?: code)?|on ?site|organic|invit(?:ed|ation)|admin|kiosk|mail ask|unknown)$/;

/** Tells whether a title is beside the name of a person and not beside a text: it may be that of a job. */
function isOfPerson(column: Column, all: readonly Column[]): boolean {
  const at = all.indexOf(column);
  const isCalled = (other: Column | undefined, field: Field) =>
    tellingAs(field, other?.words ?? '') !== undefined;
  return (
    column.words === 'title' && isCalled(all[at - 1], 'author') && !isCalled(all[at + 1], 'text')
  );
}

/** Tells whether names or titles may be of the reviews: those of a few places, products or agents come again and again. */
function isOfRows(column: Column, rows: number): boolean {
  if (isConstant(column)) return false;
  const own = column.values.filter((value) => !isNobody(value));
  const groups = distinct(own);
  return rows <= A_HANDFUL || own.length === 0 || groups > MOST_GROUPS || groups * 2 > own.length;
}

function isConstant({ values }: Column): boolean {
  return values.length > 1 && distinct(values) === 1;
}

function distinct(values: readonly string[]): number {
  return new Set(values).size;
}

function hasStars(column: Column): boolean {
  return mostly(column, (value) => parseRating(value, 5) !== undefined);
}

function isSame(one: Column, other: Column): boolean {
  return one.values.join('\n') === other.values.join('\n');
}

/** Full and half stars, and points of 10 or 100, are given. */
function isRating(column: Column): boolean {
  if (!mostly(column, (value) => parseRating(value, 100, 0) !== undefined)) return false;
  const numbers = column.values.filter((value) => Number.isFinite(numberIn(value)));
  return numbers.some((value) => numberIn(value) > 5) || !numbers.some(hasTenths);
}

/** Returns true for words of people: no numbers, days, addresses or objects as text. */
function isProse(column: Column): boolean {
  const isOther = (value: string) =>
    /^[\d.,:%\s-]+$/.test(value) ||
    /^(?:true|false|yes|no)$/i.test(value) ||
    value === '[object Object]' ||
    URL.canParse(value);
  return !mostly(column, isOther) && !column.isDate;
}

/** Reads a number with a decimal point or comma. */
export function numberIn(value: string): number {
  return Number(value.replace(',', '.'));
}

function mostly(
  { values }: Pick<Column, 'values'>,
  holds: (value: string) => boolean | object | undefined,
): boolean {
  let left = Math.floor(values.length / 5);
  return values.length > 0 && values.every((value) => holds(value) || left-- > 0);
}
