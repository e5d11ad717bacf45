import { flatten, isRow, REPLIES, type NumberedRow, type Row } from './rows.ts';
import { wordsOf } from './guess-fields.ts';

/** Members of a reply that say who wrote it. */
const WHO = /\b(?:author|name|user|role|from|by|responder|writer)\b|^type$/;
/** Lists that have replies of the business alone. */
const OF_BUSINESS = /owner|client|management|business|merchant|company|official/i;
const OWNER =
  /\b(?:owner|business|merchant|seller|host|hotel|manager|management|admin|staff|store|shop|company|support|team|inhaber|proprietaire|propietario|proprietario)\b/;

/**
 * Leaves in lists of replies those of the business: other customers answer, too. A reply is the business's
 * if nobody is named as its author, or the author is called so or wrote to several customers.
 *
 * @returns with the rows the number of replies by others
 */
export function ownReplies(
  rows: readonly NumberedRow[],
  business: string,
): { rows: readonly NumberedRow[]; others: number } {
  const written = new Map<string, number>();
  for (const { row } of rows) {
    const writers = new Set(listsIn(row).flatMap(([, replies]) => replies.flatMap(writersOf)));
    for (const writer of writers) written.set(writer, (written.get(writer) ?? 0) + 1);
  }
  if (written.size === 0) return { rows, others: 0 };
  const isOwn = (reply: Row) => {
    const writers = writersOf(reply);
    return (
      writers.length === 0 ||
      writers.some(
        (writer) => OWNER.test(writer) || writer === wordsOf(business) || written.get(writer)! > 1,
      )
    );
  };
  let others = 0;
  const own = rows.map((numbered) => {
    const lists = listsIn(numbered.row).map(([name, replies]) => {
      const left = replies.filter(isOwn);
      others += replies.length - left.length;
      return [name, left] as const;
    });
    return lists.length === 0
      ? numbered
      : { ...numbered, row: { ...numbered.row, ...Object.fromEntries(lists) } };
  });
  return { rows: own, others };
}

function listsIn(row: Row): [name: string, replies: Row[]][] {
  return Object.entries(row).flatMap(([name, value]) =>
    REPLIES.test(name) &&
    !OF_BUSINESS.test(name) &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isRow)
      ? [[name, value] as [string, Row[]]]
      : [],
  );
}

function writersOf(reply: Row): string[] {
  return Object.entries(flatten(reply)).flatMap(([path, value]) =>
    WHO.test(wordsOf(path)) && typeof value === 'string' && value !== '' ? [wordsOf(value)] : [],
  );
}
