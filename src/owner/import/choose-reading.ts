import { MAX_ATTRIBUTES } from '../../schema/review.ts';
import type { Answers } from './answers.ts';
import { hasTenths } from './column-values.ts';
import { dateOrderIn } from './date-order.ts';
import { hasMadeTitles, type Reading } from './draft.ts';
import { columnsIn, columnsOfMap, formatMap, headerNames } from './field-map.ts';
import type { Field, FieldMap } from './field-map.ts';
import { recognize } from './formats.ts';
import { columnsByValues, guessFields, unfitFor, type Guess } from './guess-fields.ts';
import { ImportError } from './import-error.ts';
import type { Format } from './known-formats.ts';
import { ownIn } from './own-rows.ts';
import { statesIn } from './row-states.ts';
import { columnsOf, meets, stateAt, valuesAt, type Row } from './rows.ts';
import { pattern, wordsOf } from './words.ts';
import { bestColumn, scalesOf } from './scales.ts';
import type { Table } from './table.ts';

/**
 * Decides how a table is read: by the format that is recognized, by the columns that a person named, or
 * by a guess. All three meet the same checks of place, state and scale.
 *
 * @param business the name of the business
 * @throws {ImportError} with the options to say next
 */
export function chooseReading(
  { name, rows: numbered }: Pick<Table, 'name' | 'rows'>,
  answers: Answers,
  business: string,
): Reading {
  const { dateOrder } = answers;
  const { keep, ...mapped } = answers.map ?? {};
  const map = Object.keys(mapped).length > 0 ? mapped : undefined;
  const complete = numbered.filter(({ cut }) => cut === undefined);
  const rows = (complete.length > 0 ? complete : numbered).map(({ row }) => row);
  const inHeader = headerNames(rows);
  const format = recognize(rows);
  const named = map && namedAs(inHeader, map);
  if (named) checkNamed(name, rows, named);
  const guess = format ? undefined : guessFields(rows);
  const kept = keep && namedAs(inHeader, { keep });
  if (kept) {
    checkNamed(name, rows, kept);
    checkShared(name, rows, kept.keep!);
  }
  const given = { ...(named ?? guess?.fields), ...kept };
  const fields = { ...(format && namedAs(inHeader, format.fields)), ...given };
  if (guess) {
    const all = { ...guess.fields, ...named };
    const byValues = columnsByValues(rows, { ...guess.unclear, ...all });
    const { text } = byValues;
    // A person who names columns has looked for the text.
    const isTextOpen = !named && text.length > 0;
    const unclear = isTextOpen ? { ...guess.unclear, text } : guess.unclear;
    checkComplete(name, rows, fields, { fields: all, unclear }, byValues);
  }
  const conditions = conditionsAs(columnsOf(rows), format ?? {});
  const unread = unreadColumns(rows, fields, [
    ...Object.values(conditions).flatMap((each) => Object.keys(each)),
    ...(format?.others ?? []),
  ]);
  const places = format?.place?.split('|').flatMap(inHeader);
  const order = dateOrderIn(name, rows, fields, dateOrder) ?? format?.dates;
  const ids = (fields.id ?? []).flatMap((path) => rows.map((row) => stateAt(row, path)));
  const ours = ownIn(name, rows, unread, places, ids, answers, business);
  const own = rows.filter((row) => meets(row, ours));
  const states = statesIn(name, own, unread, answers, format !== undefined);
  const best = bestColumn(rows, fields);
  const source = answers.source ?? format?.source;
  return {
    ...(format ?? { name: `columns ${formatMap(fields)}` }),
    ...conditions,
    fields,
    ours,
    tellsState: format !== undefined || Object.keys(states.shown).length > 0,
    shown: { ...conditions.shown, ...states.shown },
    replyShown: { ...conditions.replyShown, ...states.replyShown },
    ownWords: states.ownWords,
    named: states.named,
    organic: states.organic,
    confirmed: format ? {} : states.confirmed,
    scales: scalesOf(name, own, fields, answers, source, best),
    best,
    dateOrder: order,
    hasMadeTitles: hasMadeTitles(rows, fields),
    isGuess: guess !== undefined && map === undefined,
  };
}

const OF_PLACE = pattern('{average}|{place}|company', true);

/** @throws {ImportError} for a rating that is the same in all rows, and by its name or its tenths that of the place */
function refusePlaceRating(name: string, rows: readonly Row[], column: string): void {
  const [first, ...others] = valuesAt(rows, column);
  const isSame = others.length > 0 && others.every((value) => value === first);
  if (!isSame || !(hasTenths(first!) || OF_PLACE.test(wordsOf(column)))) return;
  throw new ImportError(
    `${name}: ${column} is ${first} in all rows, which is the rating of the place: name the column with those of its reviews`,
  );
}

/**
 * @throws {ImportError} for a field of `--map` none of whose columns is there, or a rating that is none of
 *   the reviews
 */
function checkNamed(name: string, rows: readonly Row[], map: FieldMap): void {
  for (const [field, paths] of Object.entries(map)) {
    if (field === 'rating') refusePlaceRating(name, rows, paths[0]!);
    if (rows.some((row) => columnsIn(paths).some((path) => row[path] !== undefined))) continue;
    throw new ImportError(
      `${name}: has no column ${paths.join(' or ')}, which --map names for ${field}; its columns are: ${columnsOf(rows).join(', ')}`,
    );
  }
}

/** @throws {ImportError} if a column to keep has a value of its own for nearly every review */
function checkShared(name: string, rows: readonly Row[], columns: readonly string[]): void {
  for (const column of columns) {
    const { size } = new Set(rows.map((row) => row[column]));
    if (size <= MAX_ATTRIBUTES) continue;
    throw new ImportError(
      `${name}: ${column} has ${size} different values, and at most ${MAX_ATTRIBUTES} can be kept: ` +
        'say --keep for columns whose values many reviews share, such as a nationality',
    );
  }
}

/** Returns the columns that are not in the map, and not among others that have a meaning. */
function unreadColumns(rows: readonly Row[], map: FieldMap, others: readonly string[]): string[] {
  // A column that is kept may still tell the place or the state of a review.
  const { keep: _, ...fields } = map;
  const known = new Set([...columnsOfMap(fields), ...others]);
  return columnsOf(rows).filter((column) => !known.has(column));
}

/**
 * @param byValues columns that may be a field by their values
 * @throws {ImportError} where a rating or a date is missing, or a column may be another
 */
function checkComplete(
  name: string,
  rows: readonly Row[],
  fields: FieldMap,
  { fields: all, unclear }: Guess,
  byValues: FieldMap,
): void {
  const needed = (['rating', 'date'] as const).filter(
    (field) => fields[field] === undefined && (field !== 'rating' || !fields.recommended),
  );
  const doubtful = Object.entries(unclear).filter(([field]) => !all[field as 'date']);
  const columns = columnsOf(rows);
  if (columns.length === 0)
    throw new ImportError(`${name}: has no list of objects, one for each review: save it as CSV`);
  if (needed.length === 0 && doubtful.length === 0) return;
  const asked = [...new Set([...needed, ...doubtful.map(([field]) => field)])] as Field[];
  const only = Object.entries(byValues).filter(([, found]) => found.length === 1);
  const hints: FieldMap = Object.fromEntries(only);
  const open = asked.filter((field) => !all[field] && !hints[field]);
  const flag = [formatMap({ ...all, ...hints }), ...open.map((field) => `${field}=…`)];
  const unfit = needed.flatMap((field) => unfitFor(field, rows));
  throw new ImportError(
    `${name}: is in no known format; its columns are: ${columns.join(', ')}\n` +
      unfit.map((reason) => `${reason}\n`).join('') +
      doubtful.map(([field, found]) => `The ${field} may be ${found.join(' or ')}.\n`).join('') +
      `Say which is the ${asked.join(' and the ')}: --map '${flag.filter(Boolean).join(',')}'` +
      (needed.includes('rating') ? '\nA review without stars cannot be published.' : ''),
  );
}

function namedAs(inHeader: (path: string) => string[], fields: FieldMap): FieldMap {
  return Object.fromEntries(
    Object.entries(fields).map(([field, paths]) => [field, paths.flatMap(inHeader)]),
  );
}

/** Returns what a format states by paths, by the columns that they are, or that are inside of them. */
function conditionsAs(columns: readonly string[], format: Partial<Format>) {
  const { shown = {}, replyShown = {}, origins = {} } = format;
  const byColumn = <T, U>(byPath: Readonly<Record<string, T>>, as: (value: T) => U) =>
    Object.fromEntries(
      Object.entries(byPath).flatMap(([path, value]) => {
        const name = path.toLowerCase();
        const isOf = (column: string) => column === name || column.startsWith(`${name}.`);
        return columns
          .filter((column) => isOf(column.toLowerCase()))
          .map((column) => [column, as(value)] as const);
      }),
    );
  const withNone = (values: readonly string[]) => new Set([...values, '']);
  return {
    shown: byColumn(shown, withNone),
    replyShown: byColumn(replyShown, withNone),
    origins: byColumn(origins, (values) => values),
  };
}
