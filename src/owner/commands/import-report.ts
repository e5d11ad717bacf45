import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toRow } from '../../resources/reviews-csv.ts';
import { rowAccount, type Rejected } from '../import/account.ts';
import { columnsOf, isBlank } from '../import/rows.ts';
import { REASON } from '../import/tables.ts';
import type { ImportResult } from '../import/import-files.ts';
import { FINDINGS } from '../import/import-tally.ts';
import { REMARKS, type Remark } from '../import/remarks.ts';
import { describeMissing } from '../import/withdrawal.ts';

/** Rows of each finding that are listed without `--rows`. */
const SHOWN_FINDINGS = 20;

const COUNTED = ['added', 'changed', 'withdrawn', 'unchanged', 'skipped'] as const;

/**
 * Words the result of an import for the person who ran it.
 *
 * @param flags with `rows` every row that changed something, or else the first of each finding
 */
export function reportOf(
  { files, rows, counts, missing, skipped, cleaned, written }: ImportResult,
  flags: { 'dry-run': boolean; rows: boolean },
): string[] {
  const shown = flags.rows
    ? rows.filter(({ outcome }) => outcome !== 'unchanged')
    : FINDINGS.flatMap((finding) =>
        rows.filter(({ outcome }) => outcome === finding).slice(0, SHOWN_FINDINGS),
      );
  const lines = shown.map(({ outcome, place, detail }) => `${outcome} ${place} ${detail}`);
  const described = files.flatMap(
    ({ file, format, rows, platform_total: total, notes, sources, verification, ...account }) => [
      `${file}: ${format}; ${rows} rows` +
        (total === undefined ? '' : `; the platform says ${total}`),
      `  ${rowAccount(rows, account.rowAccount)}`,
      ...account.columns.map((line) => `  ${line}`),
      ...notes.map((note) => `  ${note}`),
      ...(typeof verification === 'string'
        ? [`  verified on ${sources.join(', ')} means: ${verification}`]
        : Object.entries(verification).map(
            ([source, rule]) => `  verified on ${source} means: ${rule}`,
          )),
    ],
  );
  lines.push(...described);
  lines.push(COUNTED.map((outcome) => `${counts[outcome]} ${outcome}`).join(', '));
  for (const [reason, count] of Object.entries(skipped))
    lines.push(`  ${count} skipped: ${reason}`);
  for (const [what, remark] of Object.entries(REMARKS)) {
    const count = cleaned[what as Remark];
    if (count > 0) lines.push(`  ${remark}: ${count}`);
  }
  if (counts.vanished > 0) lines.push(`  ${describeMissing(missing)}`);
  if (!flags.rows && counts.skipped + counts.vanished > 0)
    lines.push('  --rows lists them one by one');
  if (flags['dry-run']) lines.push('Nothing was written: this was a dry run.');
  else if (written.length === 0) lines.push('Nothing to write: content/ has it all.');
  else lines.push(`Wrote ${written.sort().join(', ')}`);
  return lines;
}

/**
 * Writes rows that an import skipped beside their file, to be corrected and imported again. A file
 * that is there stays, because a person may be correcting it: the next is `rejected-2.csv`.
 *
 * @returns the path of the file
 */
export function writeRejected(file: string, rejected: readonly Rejected[]): string {
  const columns = columnsOf(rejected.map(({ row }) => row));
  const lines = rejected.map(({ reason, row }) =>
    toRow([reason, ...columns.map((column) => textOf(row[column]))]),
  );
  const content = `\ufeff${toRow([REASON, ...columns])}${lines.join('')}`;
  for (let number = 1; ; number++) {
    const path = join(dirname(file), `rejected${number === 1 ? '' : `-${number}`}.csv`);
    if (!existsSync(path)) {
      // The rows have full names: only the owner may read them.
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
      return path;
    }
    if (readFileSync(path, 'utf8') === content) return path;
  }
}

function textOf(value: unknown): string | null {
  if (isBlank(value)) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string);
}
