import { haveValues, type FieldMap } from './field-map.ts';
import { recognize } from './formats.ts';
import { guessFields } from './guess-fields.ts';
import { SAMPLE_ROWS, type Row } from './rows.ts';

/**
 * Tells how much rows look like reviews: of several lists, sheets or headers the one that does most
 * is read.
 */
export type Rank = (rows: readonly Row[]) => number;

/** The rank of rows in a known format. */
export const RECOGNIZED = 100;
/** The least rank of rows that can be published: they have stars and a date. */
export const READABLE = 10;

const TELLING = ['rating', 'date', 'author', 'text', 'reply'] as const;

/** Returns a rank that counts the fields of a review that rows have, by `--map` or by their names. */
export function rankBy(map: FieldMap | undefined): Rank {
  return (rows) => {
    const samples = rows.slice(0, SAMPLE_ROWS);
    if (recognize(samples)) return RECOGNIZED;
    const guess = guessFields(samples);
    const fields: FieldMap = { ...guess.fields, ...map };
    const found = TELLING.filter((field) =>
      haveValues(samples, fields[field] ?? guess.unclear[field]),
    );
    const isReadable = found.includes('rating') && found.includes('date');
    return found.length + (isReadable ? READABLE : 0);
  };
}
