import type { ReviewRecord } from '../../schema/review.ts';
import { beginningOf } from '../../schema/invisible.ts';
import { labeledText } from '../../schema/review-parts.ts';
import { columnAccount, type ReadRows } from './account.ts';
import { formatMap, type Field } from './field-map.ts';
import { A_HANDFUL } from './column-values.ts';
import { ImportError } from './import-error.ts';
import { countReasons } from './import-tally.ts';

/** Shows a person what guessed columns would publish. @returns true if it is accepted */
export type Accept = (preview: readonly string[]) => Promise<boolean>;

/** A word with asterisks in the place of letters, as tools show it that want to be paid first. */
const MASKED = /(?=[\p{L}*]*\p{L})[\p{L}*]*\*[\p{L}*]*/gu;

/** @throws {ImportError} where most texts have most of their words masked */
export function refuseMasked({ table, candidates }: ReadRows): void {
  const texts = candidates.flatMap(({ record }) => record.text ?? []);
  const masked = texts.filter(
    (text) =>
      text.includes('*') && (text.match(MASKED)?.length ?? 0) * 2 > text.split(/\s+/).length,
  );
  if (masked.length === 0 || masked.length * 2 < texts.length) return;
  throw new ImportError(
    `${table.name}: its texts have asterisks for letters (${JSON.stringify(beginningOf(masked[0]!, 40))}): ` +
      'such a file has a sample only, so export it with all words',
  );
}

/** @throws {ImportError} where all reviews have one date, in a column that nobody named for it */
export function refuseOneDate({ table, candidates, reading: { fields } }: ReadRows): void {
  const column = fields.date!.find((path) => table.rows.some(({ row }) => row[path]))!;
  const reason = oneOf(
    'date',
    candidates.map(({ record }) => record.date),
    column,
  );
  if (reason === undefined) return;
  throw new ImportError(
    `${table.name}: ${reason}. If this is right, say so: --map 'date=${column}'`,
  );
}

/** Returns why a column whose values are all the same cannot be the one of a field. */
function oneOf(field: Field, values: readonly unknown[], column: string): string | undefined {
  const known = new Set(values.filter((value) => value !== undefined));
  if (values.length <= A_HANDFUL || known.size !== 1) return undefined;
  const other = field === 'date' ? 'the day of the export' : 'of the place';
  return `all have one ${field}: ${column} may be ${other}`;
}

/** Returns the reasons why guessed columns must be wrong. */
function refusalsOf({ candidates, reading: { fields } }: ReadRows): string[] {
  const values = {
    author: candidates.map(({ author }) => author),
    rating: candidates.map(({ record }) => record.rating),
    date: candidates.map(({ record }) => record.date),
  };
  const refusals = (['author', 'rating', 'date'] as const).flatMap((field) => {
    const [column] = fields[field] ?? [];
    return column === undefined ? [] : (oneOf(field, values[field], column) ?? []);
  });
  const answered = candidates.filter(({ record }) => record.owner_reply?.date != null);
  const isDateOfReply = answered.every(({ record }) => record.date === record.owner_reply!.date);
  if (answered.length > 2 && isDateOfReply) {
    refusals.push(`each date is that of the reply: ${fields.date?.[0]} may be of the reply`);
  }
  return refusals;
}

/** @throws {ImportError} unless a guess can be right and is accepted */
export async function confirmGuess(read: ReadRows, accept: Accept | undefined): Promise<void> {
  const { table, reading } = read;
  const refusals = refusalsOf(read);
  if (refusals.length === 0 && (await accept?.(previewOf(read)))) return;
  const bests = [...reading.scales.values()].map(({ best }) => best);
  const scale = bests.length > 1 || bests[0] === 5 ? '' : ` --scale ${bests[0]}`;
  const flag = `--map '${formatMap(reading.fields)}'${scale}`;
  const reasons =
    refusals.length > 0
      ? `${table.name}: the columns cannot be guessed: ${refusals.join('; ')}`
      : `${table.name}: is in no known format, and a guess needs --yes`;
  throw new ImportError(
    [reasons, ...columnAccount(table, reading), `If this is right, say so: ${flag}`].join('\n'),
  );
}

/** Returns lines with what guessed columns would publish, so that a person can judge them. */
function previewOf({ table, reading, candidates, rejected, notes }: ReadRows): string[] {
  const records = candidates.map(({ record }) => record);
  const byStars = records.toSorted((a, b) => b.rating - a.rating);
  const examples = new Set([records[0]!, byStars[0]!, byStars.at(-1)!]);
  const withoutText = records.filter(({ text }) => text === undefined).length;
  const withReply = records.filter(({ owner_reply: reply }) => reply !== undefined).length;
  const withoutAuthor = candidates.filter(({ author }) => author === undefined).length;
  const skipped = Object.entries(countReasons(rejected.map(({ reason }) => reason)));
  const scales = [...reading.scales].map(([name, { best }]) =>
    name === '' ? String(best) : `${best} on ${name}`,
  );
  return [
    `${table.name} is in no known format. These columns look right:`,
    ...columnAccount(table, reading).map((line) => `  ${line}`),
    `  ratings are out of ${scales.join(', ')}`,
    'The first review, the best and the worst:',
    ...[...examples].flatMap(exampleOf),
    `${records.length} to add, ${withoutText} without text, ${withReply} with a reply, ` +
      `${withoutAuthor} without an author`,
    ...skipped.map(([reason, count]) => `  ${count} skipped: ${reason}`),
    ...notes.map((note) => `Look twice: ${note}`),
  ];
}

/** Returns a review as it would be published. */
function exampleOf(record: ReviewRecord): string[] {
  const { rating, date, author, source, title, owner_reply: reply } = record;
  const text = labeledText(record, { praise: 'Liked', criticism: 'Disliked' });
  const shortened = (words: string) => beginningOf(words, 200);
  return [
    `  ${rating} of 5, ${date}, ${author} on ${source}`,
    ...[title, text].flatMap((words) => (words ? [`    ${shortened(words)}`] : [])),
    ...(reply ? [`    Reply, ${reply.date ?? 'without a date'}: ${shortened(reply.text)}`] : []),
  ];
}
