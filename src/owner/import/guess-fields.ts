import { dateIssue } from './date-order.ts';
import { columnsIn, FIELDS, type Field, type FieldMap } from './field-map.ts';
import {
  isGivenName,
  isOfBlame,
  isOfOthers,
  isOfPraise,
  isSurname,
  tellingAs,
} from './column-names.ts';
import {
  distinct,
  fits,
  hasSentences,
  hasTenths,
  isConstant,
  isOfSentences,
  isSame,
  MAX_PLATFORMS,
  mostly,
  tableColumns,
  type TableColumn,
} from './column-values.ts';
import { parseTime } from './dates.ts';
import { isPlatform, platformNamed } from './platform-name.ts';
import { parseRating } from './ratings.ts';
import { columnsOf, valuesAt, type Row } from './rows.ts';
import { wordsOf } from './words.ts';

export type Guess = ReturnType<typeof guessFields>;

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
    if (field !== 'text' || !/\b(?:original|edited|updated)\b/.test(first.words)) continue;
    // Some platforms fill the column of originals, or of edits, for such texts alone.
    const [other] = candidatesFor(field, columns, rows.length, taken);
    if (other) taken.add(other.name);
    if (other && first.values.length < other.values.length) fields.text = [first.name, other.name];
  }
  const ids = fields.id ?? idsOfVersions(rows, columns, fields);
  if (ids) fields.id = ids;
  const platforms = columns.find(({ name, values, words }) => {
    const known = values.filter((value) => isPlatform(platformNamed(value))).length;
    const isNamed =
      /\b(?:source|provider|platform|channel|portal|ota)\b/.test(words) &&
      distinct(values) <= MAX_PLATFORMS;
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
  // A column that only some rows fill may be what the business wrote.
  const [text, ...parts] = columnsIn(fields.text ?? []);
  const filled = columns.find(({ name }) => name === text)?.values.length ?? rows.length;
  const fuller = columns.filter(
    (column) => !taken.has(column.name) && column.values.length > filled && isOfSentences(column),
  );
  if (parts.length === 0 && fuller.length > 0) {
    delete fields.text;
    unclear.text = [text!, ...fuller.map(({ name }) => name)];
  }
  return { fields, unclear };
}

/** Returns the column whose ids come again only in rows of one author and day: pages that overlap, or edits. */
function idsOfVersions(rows: readonly Row[], columns: readonly TableColumn[], fields: FieldMap) {
  const { author: [author = ''] = [], date: [date = ''] = [] } = fields;
  const ids = columns.find(({ name, words, values }) => {
    const pairs = rows.map((row) => JSON.stringify([row[name], row[author], row[date]]));
    const isId = tellingAs('id', words) !== undefined && values.length === rows.length;
    return isId && author !== '' && distinct(values) > 1 && distinct(values) === distinct(pairs);
  });
  return ids && [ids.name];
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

/** Returns the columns that may be a field by their values alone, which no name tells, for a person to confirm. */
export function columnsByValues(rows: readonly Row[], found: FieldMap) {
  const taken = new Set(Object.values(found).flat());
  const columns = tableColumns(rows).filter(
    ({ name, words }) => !taken.has(name) && !/ids?$/.test(words),
  );
  const fitting = (field: Field, isFit: (column: TableColumn) => boolean) =>
    found[field] ? [] : columns.filter(isFit).map(({ name }) => name);
  const isScore = (value: string) => parseRating(value, 10, 0) !== undefined;
  return {
    date: fitting('date', ({ isDate, words }) => isDate && !isOfOthers('date', words)),
    rating: fitting(
      'rating',
      (column) =>
        !isConstant(column) && mostly(column, isScore) && !isOfOthers('rating', column.words),
    ),
    text: fitting('text', isOfSentences),
  };
}

/** Fields with which a wrong column would make a wrong review. */
const MUST_BE_CLEAR = new Set<Field>(['rating', 'date', 'author', 'text']);

/** Returns the columns with the most telling name of those whose values fit. */
function candidatesFor(
  field: Field,
  columns: readonly TableColumn[],
  rows: number,
  taken: ReadonlySet<string>,
): TableColumn[] {
  const fitting = columns.filter(
    (column) => !taken.has(column.name) && fits(field, column, rows, columns),
  );
  const telling = fitting.flatMap((column) => {
    const rank = column.values.length > 0 ? tellingAs(field, column.words) : undefined;
    // What a name says below "reply" may be its tone or its kind.
    const isOther = field === 'reply' && rank === 1 && !hasSentences(column);
    return rank === undefined || isOther ? [] : [{ column, rank }];
  });
  const best = Math.min(...telling.map(({ rank }) => rank));
  return telling.filter(({ rank }) => rank === best).map(({ column }) => column);
}
