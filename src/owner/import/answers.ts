import type { ImportAnswers } from '../../schema/import-answers.ts';
import { columnsOfMap, formatMap, parseMap, type FieldMap } from './field-map.ts';
import { platformNamed } from './platform-name.ts';
import type { Reading } from './draft.ts';
import type { Answerable } from './import-error.ts';
import { columnsOf, countsAt, type Row } from './rows.ts';
import type { DateOrder } from './dates.ts';
import type { Scale } from './ratings.ts';

/** Decisions of a person about a table: by options, at the terminal, or in an earlier import. */
export interface Answers {
  /** The platform, where the format does not tell it. */
  source?: string | undefined;
  /** Columns that the person named; they override those of the format. */
  map?: FieldMap | undefined;
  /** The best rating there is, and the worst if a person said it, too. */
  scale?: number | undefined;
  worst?: Scale['worst'] | undefined;
  dateOrder?: DateOrder | undefined;
  /** The places that are this business. */
  place?: readonly string[] | undefined;
  /** By column in lower case: values that are shown, and others; `*` is every value without an entry. */
  states?: Readonly<Record<string, Readonly<Record<string, boolean>>>> | undefined;
}

/** Adds what a person types for an option. @throws in one line where it is not of its form */
export function withAnswer(answers: Answers, option: Answerable, typed: string): Answers {
  switch (option) {
    case 'place':
      return { ...answers, place: [...(answers.place ?? []), typed] };
    case 'scale': {
      const [, worst, best] = /^(?:([01])-)?(\d+(?:\.\d+)?)$/.exec(typed) ?? [];
      if (!(Number(best) > 0)) throw new Error('--scale: must be a number above 0, or as 0-10');
      const ends = { scale: Number(best), worst: worst && Number(worst) };
      return { ...answers, ...(ends as Pick<Answers, 'scale' | 'worst'>) };
    }
    case 'shown': {
      const [, column, values] = /^([^=]+)=(.*)$/s.exec(typed) ?? [];
      if (column === undefined) throw new Error(`--shown ${typed}: must be COLUMN=VALUE,…`);
      const shown = values!.split(',').map((value) => value.trim().toLowerCase());
      const key = column.trim().toLowerCase();
      const before = answers.states?.[key];
      const given = Object.fromEntries(shown.map((value) => [value, true]));
      const states = { ...answers.states, [key]: { '*': false, ...before, ...given } };
      return { ...answers, states };
    }
  }
}

type Saved = ImportAnswers['tables'][number];

/** Returns earlier answers about a table with these columns, below what is answered now. */
export function withEarlier(
  answers: Answers,
  { tables }: ImportAnswers,
  columns: readonly string[],
): Answers {
  const has = new Set(columns);
  const fitting = tables.filter((table) => table.columns.every((column) => has.has(column)));
  const found = fitting.toSorted((a, b) => b.columns.length - a.columns.length)[0];
  if (!found) return answers;
  const { map, dates, columns: _, ...others } = found;
  const earlier = {
    ...others,
    map: map === undefined ? undefined : parseMap(map),
    dateOrder: dates,
  };
  const given = Object.entries(answers).filter(([, value]) => value !== undefined);
  // A kept column and the others are independent answers.
  const { keep = earlier.map?.keep, ...mapped } = answers.map ?? {};
  const columnMap = Object.keys(mapped).length > 0 ? mapped : earlier.map;
  return {
    ...earlier,
    ...Object.fromEntries(given),
    map: keep ? { ...columnMap, keep } : columnMap,
    states: { ...earlier.states, ...answers.states },
  };
}

/**
 * Keeps the answers about a table, and a guess that was accepted; earlier ones about the same columns
 * are replaced.
 */
export function withSaved(
  earlier: ImportAnswers,
  rows: readonly Row[],
  { fields, ours, shown, isGuess }: Reading,
  { source, map: given, scale, worst, dateOrder: dates, place, states = {} }: Answers,
): ImportAnswers {
  const map = isGuess ? fields : given;
  const answered = Object.keys(shown).filter((column) =>
    Object.hasOwn(states, column.toLowerCase()),
  );
  const known = answered.map((column) => {
    const key = column.toLowerCase();
    return [key, statesOf(rows, column, shown[column]!, states[key]!)] as const;
  });
  const saved: Omit<Saved, 'columns'> = {
    ...(map && { map: formatMap(map) }),
    ...(source !== undefined && { source: platformNamed(source) }),
    ...(scale !== undefined && { scale }),
    ...(worst !== undefined && { worst }),
    ...(dates && { dates }),
    ...(place && { place: [...place] }),
    ...(known.length > 0 && { states: Object.fromEntries(known) }),
  };
  if (Object.keys(saved).length === 0) return earlier;
  const read = new Set([...columnsOfMap(fields), ...Object.keys(ours), ...answered]);
  const columns = columnsOf(rows)
    .filter((column) => read.has(column))
    .sort();
  const others = earlier.tables.filter((table) => table.columns.join() !== columns.join());
  return { tables: [...others, { columns, ...saved }] };
}

/** Returns what is known of each value of a column, so that a new one is asked about. */
function statesOf(
  rows: readonly Row[],
  column: string,
  shown: ReadonlySet<string>,
  states: Readonly<Record<string, boolean>>,
): Record<string, boolean> {
  const { '*': _, ...known } = states;
  const found = [...countsAt(rows, column).keys()].map((value) => [value, shown.has(value)]);
  return { ...known, ...Object.fromEntries(found) };
}
