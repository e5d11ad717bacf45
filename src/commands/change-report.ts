import type { AggregateRating } from '../schema/dataset.ts';
import { oneLine } from '../schema/invisible.ts';
import type { Review } from '../schema/review.ts';

/** A comment has a limit, and nobody reads more rows. */
const MAX_ROWS = 50;
const TEXT_CHARACTERS = 80;

/** The compared part of a dataset; documents of older versions may have other fields as well. */
export interface Snapshot {
  aggregate_rating: Pick<AggregateRating, 'rating_value' | 'review_count' | 'distribution'>;
  reviews: readonly Review[];
}

export interface Edit {
  review: Review;
  /** The fields that differ. */
  fields: string[];
}

export interface Changes {
  added: Review[];
  edited: Edit[];
  removed: Review[];
}

/** Fields that follow from another field, from the site or from the vocabulary. */
const DERIVED = new Set(['url', 'updated_at', 'mentions']);

/** Sorts reviews into added, edited and removed, each list in the order of its dataset. */
export function compareReviews(before: Snapshot, after: Snapshot): Changes {
  const known = new Map(before.reviews.map((review) => [review.id, review]));
  const kept = new Set(after.reviews.map(({ id }) => id));
  return {
    added: after.reviews.filter(({ id }) => !known.has(id)),
    edited: after.reviews.flatMap((review) => {
      const fields = changedFields(known.get(review.id), review);
      return fields.length > 0 ? [{ review, fields }] : [];
    }),
    removed: before.reviews.filter(({ id }) => !kept.has(id)),
  };
}

function changedFields(before: Review | undefined, after: Review): string[] {
  if (!before) return [];
  const names = Object.keys(after) as (keyof Review)[];
  return names.filter(
    (name) => !DERIVED.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** Formats the difference of two datasets as a comment for a pull request, without a last newline. */
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
    .join('\n');
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
 * Formats a customer's text as code, where it is no markup, mentions nobody and links nowhere. A
 * bar would still end the cell.
 */
function code(text: string): string {
  const characters = [...oneLine(text).replaceAll('`', "'")];
  if (characters.length === 0) return '';
  const cut = characters.slice(0, TEXT_CHARACTERS).join('');
  const shown = characters.length > TEXT_CHARACTERS ? `${cut}…` : cut;
  return `\`${shown.replaceAll('|', String.raw`\|`)}\``;
}
