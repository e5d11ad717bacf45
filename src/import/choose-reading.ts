import type { FieldMap, Row } from './draft.ts';
import { formatMap, guessFields, valuesAt } from './field-map.ts';
import { recognize } from './formats.ts';
import type { Format } from './known-formats.ts';
import type { Table } from './tables.ts';
import { orderOf, type DateOrder } from './values.ts';

/** Thrown where the person who imports must decide something; the message says how. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** The way in which the rows of one table are read. */
export interface Reading {
  format: Format;
  fields: FieldMap;
  scale: number;
  dateOrder: DateOrder | undefined;
  notes: string[];
}

export interface ReadingChoices {
  /** The platform, where the format does not tell it. */
  source?: string | undefined;
  /** Columns that the user named; they override those of the format. */
  map?: FieldMap | undefined;
  /** The meaning of "verified" on a platform that this program does not know. */
  verification?: string | undefined;
  /** The best rating there is; 5 when left out. */
  scale?: number | undefined;
  dateOrder?: DateOrder | undefined;
  /** Tells whether it is known what "verified" means on a platform. */
  isVerified?: ((source: string) => boolean) | undefined;
  /** Asks whether a guessed mapping is right. */
  accept?: ((guess: GuessedTable) => Promise<boolean>) | undefined;
}

export interface GuessedTable extends Pick<Reading, 'fields' | 'scale' | 'dateOrder'> {
  name: string;
  /** The first rows. */
  rows: readonly Row[];
}

const SHOWN_ROWS = 3;

/**
 * Decides from the first rows how a table is read: by the format that is recognized, by `--map`, or
 * by a guess that was accepted.
 *
 * @throws {ImportError} with the flags to say next
 */
export async function chooseReading(
  { name, kind }: Pick<Table, 'name' | 'kind'>,
  samples: readonly Row[],
  choices: ReadingChoices,
): Promise<Reading> {
  const { scale, dateOrder } = choices;
  const map = kind === 'CSV' ? inLowerCase(choices.map) : choices.map;
  const format = recognize(samples);
  if (format) {
    const fields = { ...format.fields, ...map };
    return {
      format,
      fields,
      scale: scale ?? 5,
      dateOrder: dateOrder ?? orderIn(samples, fields),
      notes: format.note === undefined ? [] : [format.note],
    };
  }
  const guess = guessFields(samples);
  const fields = map ?? guess.fields;
  const columns = [...new Set(samples.flatMap((row) => Object.keys(row)))].join(', ');
  const missing = (['rating', 'date'] as const).filter((field) => fields[field] === undefined);
  if (missing.length > 0) {
    const all = { ...guess.fields, ...map };
    const flag = [
      formatMap(all),
      ...missing.filter((field) => !all[field]).map((field) => `${field}=…`),
    ];
    throw new ImportError(
      `${name}: is in no known format; its columns are: ${columns}\n` +
        `Say which is the ${missing.join(' and the ')}: --map '${flag.filter(Boolean).join(',')}'` +
        missingFlags(choices, fields),
    );
  }
  const chosen = {
    fields,
    scale: scale ?? (map ? 5 : guess.scale),
    dateOrder: dateOrder ?? orderIn(samples, fields),
  };
  if (!map && !(await choices.accept?.({ name, ...chosen, rows: samples.slice(0, SHOWN_ROWS) }))) {
    const scaleFlag = chosen.scale === 5 ? '' : ` --scale ${chosen.scale}`;
    throw new ImportError(
      `${name}: is in no known format; its columns are: ${columns}\n` +
        `This is a guess, to accept or to correct: --map '${formatMap(fields)}'${scaleFlag}` +
        missingFlags(choices, fields),
    );
  }
  if (choices.source === undefined && fields.source === undefined) {
    throw new ImportError(
      `${name}: does not say which platform its reviews were written on: say it, e.g.` +
        missingFlags(choices, fields),
    );
  }
  return {
    format: { name: `columns ${formatMap(fields)}`, source: choices.source, marks: [], fields },
    ...chosen,
    notes: chosen.scale === 5 ? [] : [`ratings out of ${chosen.scale} became stars, rounded`],
  };
}

/** Returns the other flags that an unknown table needs, each with its purpose. */
function missingFlags(
  { source, verification, isVerified }: ReadingChoices,
  fields: FieldMap,
): string {
  const needsRule = verification === undefined && !(source !== undefined && isVerified?.(source));
  const needsSource = source === undefined && fields.source === undefined;
  return (
    (needsSource ? ' --source google' : '') +
    (needsRule
      ? `\n${source === undefined ? 'On a platform that this program does not know, also say' : 'Also say'} what made sure ` +
        `that its reviews are real; the site publishes it: ${VERIFICATION_FLAG}`
      : '')
  );
}

export const VERIFICATION_FLAG = `--verification 'Only guests who stayed can write a review.'`;

/** Finds the order of day and month in the columns of dates. */
function orderIn(samples: readonly Row[], { date = [] }: FieldMap): DateOrder | undefined {
  return orderOf(date.flatMap((column) => valuesAt(samples, column)));
}

/** CSV columns are known by their header in lower case. */
function inLowerCase(map: FieldMap | undefined): FieldMap | undefined {
  return (
    map &&
    Object.fromEntries(
      Object.entries(map).map(([field, columns]) => [
        field,
        columns.map((name) => name.toLowerCase()),
      ]),
    )
  );
}
