import type { ImportResult } from '../import/import-files.ts';
import type { RowReport } from '../import/import-tally.ts';
import type { Preview } from '../import/confirm-guess.ts';
import { beginningOf } from '../../schema/invisible.ts';

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

function scalesText({ scale, scales }: Preview['reading']): string {
  const each = Object.entries(scales).map(([platform, best]) => `${best} on ${platform}`);
  return each.length > 0 ? each.join(', ') : String(scale);
}

/** Words what an import of guessed columns would publish. */
export function linesOf(preview: Preview): string[] {
  const { name, reading, examples, skipped, warnings } = preview;
  const { reviews, withoutText, withReply, withoutAuthor } = preview;
  const columns = Object.entries(reading.fields).map(
    ([field, paths]) => `  ${field}: ${paths.join()}`,
  );
  return [
    `${name} is in no known format. These columns look right:`,
    ...columns,
    `  ratings are out of ${scalesText(reading)}`,
    'The first review, the best and the worst:',
    ...examples.flatMap((record) => [
      `  ${record.rating} of 5, ${record.date}, ${record.author} on ${record.source}`,
      ...[record.title, record.text].flatMap((text) => (text ? [`    ${shortened(text)}`] : [])),
      ...(record.owner_reply
        ? [
            `    Reply, ${record.owner_reply.date ?? 'without a date'}: ${shortened(record.owner_reply.text)}`,
          ]
        : []),
    ]),
    `${reviews} to add, ${withoutText} without text, ${withReply} with a reply, ` +
      `${withoutAuthor} without an author`,
    ...Object.entries(skipped).map(([reason, count]) => `  ${count} skipped: ${reason}`),
    ...warnings.map((warning) => `Look twice: ${warning}`),
  ];
}

function shortened(text: string): string {
  return beginningOf(text, 200);
}

/** Words the result of an import for the person who ran it. */
export function reportOf(
  { files, counts, skipped, cleaned, written }: ImportResult,
  flags: { 'dry-run': boolean; rows: boolean },
): string[] {
  const lines = files.flatMap(
    ({ file, format, rows, platformTotal, notes, sources, verification }) => [
      `${file}: ${format}; ${rows} rows` +
        (platformTotal === undefined ? '' : `; the platform says ${platformTotal}`),
      ...notes.map((note) => `  ${note}`),
      ...(typeof verification === 'string'
        ? [`  verified on ${sources.join(', ')} means: ${verification}`]
        : Object.entries(verification).map(
            ([source, rule]) => `  verified on ${source} means: ${rule}`,
          )),
    ],
  );
  lines.push(COUNTED.map((outcome) => `${counts[outcome]} ${outcome}`).join(', '));
  for (const [reason, count] of Object.entries(skipped))
    lines.push(`  ${count} skipped: ${reason}`);
  for (const [what, remark] of Object.entries(REMARKS)) {
    const count = cleaned[what as keyof typeof cleaned];
    if (count > 0) lines.push(`  ${remark}: ${count}`);
  }
  if (counts.vanished > 0) {
    lines.push(
      `  imported reviews that this export lacks; if it is a full one, add --withdraw: ${counts.vanished}`,
    );
  }
  if (!flags.rows && counts.skipped + counts.vanished > 0)
    lines.push('  --rows lists them one by one');
  if (flags['dry-run']) lines.push('Nothing was written: this was a dry run.');
  else if (written.length === 0) lines.push('Nothing to write: content/ has it all.');
  else lines.push(`Wrote ${written.sort().join(', ')}`);
  return lines;
}

const REMARKS: Readonly<Record<keyof ImportResult['cleaned'], string>> = {
  heldBack: 'reviews that the platform itself does not show, left out and counted as held back',
  unverified: 'reviews that the export calls unverified, left out and counted as such',
  strippedCharacters: 'invisible characters taken out',
  translations: "machine translations left out, for the customers' own words",
  roundedRatings: 'ratings rounded to whole stars',
  monthsOnly: 'dates with a month alone, published as its first day',
  hiddenReplies: 'replies that the platform does not show, left out',
  undatedReplies: 'replies without a date',
  media: 'pictures and videos, which are not imported',
  anonymous: 'reviews without an author in the export, shown as Anonymous',
  personalData: 'texts that seem to have personal data, listed above',
  overwritten: 'texts that were edited here and replaced, because the platform has new ones',
};
