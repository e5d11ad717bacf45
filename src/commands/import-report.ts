import type { ImportResult } from '../import/import-files.ts';
import type { Outcome, RowReport } from '../import/import-tally.ts';

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

const PLURALS: Record<Exclude<Outcome, 'vanished'>, string> = {
  added: 'added',
  changed: 'changed',
  withdrawn: 'withdrawn',
  unchanged: 'unchanged',
  skipped: 'skipped',
};

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
  lines.push(
    Object.entries(PLURALS)
      .map(([outcome, word]) => `${counts[outcome as Outcome]} ${word}`)
      .join(', '),
  );
  for (const [reason, count] of Object.entries(skipped))
    lines.push(`  ${count} skipped: ${reason}`);
  const remarks: [number, string][] = [
    [strippedCharacters, 'invisible characters were taken out'],
    [translations, "machine translations by Google were left out; the customers' own words stay"],
    [roundedRatings, 'ratings were rounded to whole stars'],
    [anonymous, 'reviews have no author in the export and are shown as Anonymous'],
    [
      personalData,
      'texts seem to have a phone number, e-mail or street address: see the rows above',
    ],
    [overwritten, 'texts that were edited here were replaced, because the platform has new ones'],
    [
      counts.vanished,
      'imported reviews are not in this export; if it is a full one, add --withdraw',
    ],
  ];
  for (const [count, remark] of remarks) if (count > 0) lines.push(`  ${count} ${remark}`);
  if (!flags.rows && counts.skipped + counts.vanished > 0)
    lines.push('  --rows lists them one by one');
  if (flags['dry-run']) lines.push('Nothing was written: this was a dry run.');
  else if (written.length === 0) lines.push('Nothing to write: content/ has it all.');
  else lines.push(`Wrote ${written.sort().join(', ')}`);
  return lines;
}
