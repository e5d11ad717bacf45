import type { ReviewRecord } from '../../schema/review.ts';
import type { Candidate } from './candidate.ts';
import { ImportError, unknownFormat, type Reading } from './choose-reading.ts';
import { formatMap } from './field-map.ts';
import { unquoted } from './import-tally.ts';
import { columnsOf, type Row } from './rows.ts';
import type { Table } from './tables.ts';

/** A row that cannot be published as it is. */
export interface Rejected {
  place: string;
  row: Row;
  reason: string;
}

export interface ReadRows {
  candidates: Candidate[];
  rejected: Rejected[];
}

/** Summary of what an import would publish, so that a person can judge the guessed columns. */
export interface Preview {
  name: string;
  reading: Pick<Reading, 'fields' | 'scale' | 'scales'>;
  /** The first review, the best and the worst, as they would be published. */
  examples: ReviewRecord[];
  reviews: number;
  withoutText: number;
  withReply: number;
  withoutAuthor: number;
  /** Why rows would be skipped, with the number of rows. */
  skipped: Readonly<Record<string, number>>;
  warnings: readonly string[];
}

interface Guessed extends ReadRows {
  table: Table;
  reading: Reading;
  /** Reasons why the guess must be wrong. */
  refusals: readonly string[];
  warnings: readonly string[];
}

/** @throws {ImportError} unless a guess can be right and is accepted */
export async function confirmGuess(
  guessed: Guessed,
  accept: ((preview: Preview) => Promise<boolean>) | undefined,
): Promise<void> {
  const { table, reading, refusals } = guessed;
  if (refusals.length === 0 && (await accept?.(previewOf(guessed)))) return;
  const columns = columnsOf(table.rows.map(({ row }) => row));
  const isOne = Object.keys(reading.scales).length === 0;
  const scale = reading.scale === 5 || !isOne ? '' : ` --scale ${reading.scale}`;
  const flag = `--map '${formatMap(reading.fields)}'${scale}`;
  throw new ImportError(
    refusals.length > 0
      ? `${table.name}: the columns cannot be guessed: ${refusals.join('; ')}\n` +
          `Its columns are: ${columns.join(', ')}\nIf this is right nevertheless, say so: ${flag}`
      : `${unknownFormat(table.name, columns)}\nThis is a guess, to accept with --yes or to correct: ${flag}`,
  );
}

function previewOf({ table, reading, candidates, rejected, warnings }: Guessed): Preview {
  const records = candidates.map(({ record }) => record);
  const byStars = records.toSorted((a, b) => b.rating - a.rating);
  return {
    name: table.name,
    reading,
    examples: [...new Set([records[0]!, byStars[0]!, byStars.at(-1)!])],
    reviews: records.length,
    withoutText: records.filter(({ text }) => text === undefined).length,
    withReply: records.filter(({ owner_reply: reply }) => reply !== undefined).length,
    withoutAuthor: candidates.filter(({ author }) => author === undefined).length,
    skipped: countReasons(rejected),
    warnings,
  };
}

/** Counts rows by the reason why they cannot be published. */
export function countReasons(rejected: readonly Rejected[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of rejected) {
    const kind = unquoted(reason);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
