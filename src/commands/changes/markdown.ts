import type { Review } from '../../schema/review.ts';
import { compareReviews, type Snapshot } from './changes.ts';

/** A comment has a limit, and nobody reads more rows. */
const MAX_ROWS = 50;
const TEXT_CHARACTERS = 80;

/** The change of a dataset as a comment for a pull request. */
export function changesAsMarkdown(before: Snapshot, after: Snapshot): string {
  const { added, edited, removed } = compareReviews(before, after);
  const counts = [
    `${added.length} added`,
    `${edited.length} edited`,
    `${removed.length} removed`,
  ].join(', ');
  return [
    '## Change of the dataset',
    '',
    counts,
    '',
    ratings(before, after),
    section('Added', added.map(row)),
    section(
      'Edited',
      edited.map(({ review, fields }) => `${row(review)} ${fields.join(', ')} |`),
      ' changed |',
      ' --- |',
    ),
    section('Removed', removed.map(row)),
  ]
    .filter((part) => part !== undefined)
    .join('\n')
    .concat('\n');
}

function ratings(before: Snapshot, after: Snapshot): string {
  const line = (label: string, value: (snapshot: Snapshot) => number | null) =>
    `| ${label} | ${value(before) ?? '–'} | ${value(after) ?? '–'} |`;
  return [
    '| | before | after |',
    '| --- | --- | --- |',
    line('rating', ({ aggregate_rating: { rating_value: rating } }) => rating),
    line('reviews', ({ aggregate_rating: { review_count: count } }) => count),
    ...(['5', '4', '3', '2', '1'] as const).map((stars) =>
      line(`${stars} stars`, ({ aggregate_rating: { distribution } }) => distribution[stars]),
    ),
  ].join('\n');
}

function section(
  title: string,
  rows: readonly string[],
  heading = '',
  rule = '',
): string | undefined {
  if (rows.length === 0) return undefined;
  const rest = rows.length - MAX_ROWS;
  return [
    '',
    `### ${title}`,
    '',
    `| date | stars | author | text |${heading}`,
    `| --- | --- | --- | --- |${rule}`,
    ...rows.slice(0, MAX_ROWS),
    ...(rest > 0 ? ['', `and ${rest} more`] : []),
  ].join('\n');
}

function row({ date, rating, author, text, title }: Review): string {
  return `| ${date} | ${rating} | ${code(author)} | ${code(text ?? title ?? '')} |`;
}

/**
 * What customers wrote, as code: there it is no markup, mentions nobody and links nowhere. A bar
 * would end the cell even so.
 */
function code(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim()];
  if (characters.length === 0) return '';
  const cut = characters.slice(0, TEXT_CHARACTERS).join('');
  const shown = characters.length > TEXT_CHARACTERS ? `${cut}…` : cut;
  return `\`${shown.replaceAll('|', String.raw`\|`)}\``;
}
