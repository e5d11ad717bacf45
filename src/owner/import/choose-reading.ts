import type { Reading } from './draft.ts';
import { formatMap, headerNames, type FieldMap } from './field-map.ts';
import { platformNamed, recognize, STATED_SCALES } from './formats.ts';
import { guessFields, scaleOf, type Guess } from './guess-fields.ts';
import { guessStates } from './guess-states.ts';
import { RECOGNIZED, type Rank } from './json-rows.ts';
import type { Format } from './known-formats.ts';
import { columnsOf, valueAt, valuesAt, type Row } from './rows.ts';
import type { Table } from './tables.ts';
import { orderOf, type DateOrder } from './values.ts';

/** Thrown where the person who imports must decide something; the message says how. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export interface ReadingChoices {
  /** The platform, where the format does not tell it. */
  source?: string | undefined;
  /** Columns that the user named; they override those of the format. */
  map?: FieldMap | undefined;
  /** The best rating there is; 5 when left out. */
  scale?: number | undefined;
  dateOrder?: DateOrder | undefined;
}

const SAMPLE_ROWS = 200;

/** Returns how much rows look like reviews: in a known format, or with stars and a date. */
export function rankOf({ map }: ReadingChoices): Rank {
  return (rows) => {
    const samples = rows.slice(0, SAMPLE_ROWS);
    if (recognize(samples)) return RECOGNIZED;
    const { rating = [], date } = map ?? guessFields(samples).fields;
    const hasStars = samples.some((row) => rating.some((path) => valueAt(row, path) !== undefined));
    return Number(hasStars && date !== undefined);
  };
}

/**
 * Decides how a table is read: by the format that is recognized, by `--map`, or by a guess.
 *
 * @throws {ImportError} with the flags to say next
 */
export function chooseReading(
  { name, kind, rows: numbered }: Pick<Table, 'name' | 'kind' | 'rows'>,
  { map, scale, dateOrder }: ReadingChoices,
): Reading {
  const rows = numbered.map(({ row }) => row);
  const isTable = kind === 'CSV' || kind === 'Excel';
  const inHeader = isTable ? headerNames(rows) : (path: string) => [path];
  const format = recognize(rows);
  const named = map && namedAs(inHeader, map);
  if (format) {
    const fields = { ...namedAs(inHeader, format.fields), ...named };
    return {
      ...format,
      ...conditionsAs(inHeader, format),
      fields,
      scale: scale ?? format.scale ?? 5,
      dateOrder: dateOrder ?? orderIn(rows, fields) ?? format.dates,
    };
  }
  const guess = guessFields(rows);
  const fields = named ?? guess.fields;
  if (!map && mayBeSchoolGrades(rows, fields)) {
    throw new ImportError(
      `${name}: ${fields.rating![0]} may have school grades, of which 1 is the best. If they are, write stars ` +
        `instead; if 5 is the best, say so: --map '${formatMap(fields)}'`,
    );
  }
  checkComplete(name, rows, fields, { ...guess, fields: { ...guess.fields, ...named } });
  return {
    name: `columns ${formatMap(fields)}`,
    fields,
    ...guessStates(rows),
    scale: scale ?? (map ? 5 : guess.scale),
    scales: scale === undefined ? scalesIn(rows, fields) : undefined,
    dateOrder: dateOrder ?? orderIn(rows, fields),
    isGuess: map === undefined,
  };
}

/** Tells if a German table has grades from 1 to 6; in French, `Note` is a rating. */
function mayBeSchoolGrades(
  rows: readonly Row[],
  { rating: [column = ''] = [] }: FieldMap,
): boolean {
  const isGerman = columnsOf(rows).some((name) => /^(?:datum|kommentar|bewertung)$/i.test(name));
  const isGrade = (value: string) => Number(value.replace(',', '.')) <= 6;
  return isGerman && /^note$/i.test(column) && valuesAt(rows, column).every(isGrade);
}

/** @throws {ImportError} where a rating or a date is missing, or a column may be another */
function checkComplete(
  name: string,
  rows: readonly Row[],
  fields: FieldMap,
  { fields: all, unclear }: Guess,
): void {
  const needed = (['rating', 'date'] as const).filter(
    (field) => fields[field] === undefined && (field !== 'rating' || !fields.recommended),
  );
  const doubtful = Object.entries(unclear).filter(([field]) => !all[field as 'date']);
  const columns = columnsOf(rows);
  if (columns.length === 0) throw new ImportError(`${name}: has no reviews`);
  if (needed.length === 0 && doubtful.length === 0) return;
  const asked = [...new Set([...needed, ...doubtful.map(([field]) => field)])];
  const flag = [
    formatMap(all),
    ...asked.filter((field) => !all[field as 'date']).map((field) => `${field}=…`),
  ];
  throw new ImportError(
    `${unknownFormat(name, columns)}\n` +
      doubtful.map(([field, found]) => `The ${field} may be ${found.join(' or ')}.\n`).join('') +
      `Say which is the ${asked.join(' and the ')}: --map '${flag.filter(Boolean).join(',')}'` +
      (needed.includes('rating') ? '\nA review without stars cannot be published.' : ''),
  );
}

export function unknownFormat(name: string, columns: readonly string[]): string {
  return `${name}: is in no known format; its columns are: ${columns.join(', ')}`;
}

function namedAs(inHeader: (path: string) => string[], fields: FieldMap): FieldMap {
  return Object.fromEntries(
    Object.entries(fields).map(([field, paths]) => [field, paths.flatMap(inHeader)]),
  );
}

/** Returns what a format states by the names of columns, in the names of this header. */
function conditionsAs(inHeader: (path: string) => string[], format: Format): Partial<Format> {
  const stated = (['shown', 'replyShown', 'ownWords', 'origins'] as const).map((name) => {
    const byPath = Object.entries(format[name] ?? {});
    return [name, Object.fromEntries(byPath.map(([path, value]) => [inHeader(path)[0], value]))];
  });
  return Object.fromEntries(stated) as Partial<Format>;
}

/** Returns the scale of the ratings of each platform, where a column names several. */
function scalesIn(rows: readonly Row[], { rating, source }: FieldMap): Reading['scales'] {
  if (!rating || !source) return undefined;
  const byPlatform = Map.groupBy(rows, (row) =>
    platformNamed(String(valueAt(row, source[0]!) ?? '')),
  );
  if (byPlatform.size === 1) return undefined;
  const scales = [...byPlatform].map(([platform, own]): [string, number] => [
    platform,
    STATED_SCALES[platform] ?? scaleOf(valuesAt(own, rating[0]!)),
  ]);
  return Object.fromEntries(scales);
}

/** Finds the order of day and month in the columns of dates. */
function orderIn(rows: readonly Row[], { date = [] }: FieldMap): DateOrder | undefined {
  return orderOf(date.flatMap((column) => valuesAt(rows, column)));
}
