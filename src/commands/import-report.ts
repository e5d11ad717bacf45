import type { ImportResult } from '../import/import-files.ts';
import type { RowReport } from '../import/import-tally.ts';

/** Personal data that is listed without `--rows`. */
const SHOWN_FINDINGS = 20;

/** Prints every row, or without `--rows` only those with personal data, as far as that is useful. */
export function printRows(print: (line: string) => void, all: boolean): (row: RowReport) => void {
  let findings = 0;
  return ({ outcome, place, detail }) => {
    if (!all && (outcome !== 'personal data' || ++findings > SHOWN_FINDINGS)) return;
    print(`${outcome} ${place} ${detail}`);
  };
}

const COUNTED = ['added', 'changed', 'withdrawn', 'unchanged', 'skipped'] as const;

/** Words the result of an import for the person who ran it. */
export function reportOf(
  { files, counts, skipped, cleaned, written }: ImportResult,
  flags: { 'dry-run': boolean; rows: boolean; map?: string | undefined },
): string[] {
  const { strippedCharacters, translations, roundedRatings, anonymous } = cleaned;
  const { personalData, overwritten } = cleaned;
  const lines = files.flatMap(
    ({ file, format, rows, platformTotal, notes, sources, verification }) => [
      `${file}: ${format}; ${rows} rows` +
        (platformTotal === undefined ? '' : `; the platform says ${platformTotal}`),
      ...notes.map((note) => `  ${note}`),
      ...(sources.length > 0 ? [`  verified on ${sources.join(', ')} means: ${verification}`] : []),
    ],
  );
  lines.push(COUNTED.map((outcome) => `${counts[outcome]} ${outcome}`).join(', '));
  for (const [reason, count] of Object.entries(skipped))
    lines.push(`  ${count} skipped: ${reason}`);
  const remarks: [string, number][] = [
    ['invisible characters taken out', strippedCharacters],
    ["machine translations by Google left out, for the customers' own words", translations],
    ['ratings rounded to whole stars', roundedRatings],
    ['reviews without an author in the export, shown as Anonymous', anonymous],
    ['texts that seem to have personal data, listed above', personalData],
    ['texts that were edited here and replaced, because the platform has new ones', overwritten],
    [
      'imported reviews that this export lacks; if it is a full one, add --withdraw',
      counts.vanished,
    ],
  ];
  for (const [remark, count] of remarks) if (count > 0) lines.push(`  ${remark}: ${count}`);
  if (!flags.rows && counts.skipped + counts.vanished > 0)
    lines.push('  --rows lists them one by one');
  if (flags['dry-run']) lines.push('Nothing was written: this was a dry run.');
  else if (written.length === 0) lines.push('Nothing to write: content/ has it all.');
  else lines.push(`Wrote ${written.sort().join(', ')}`);
  return lines;
}
