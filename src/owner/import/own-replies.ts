import { flatten, isRow, REPLIES, type NumberedRow, type Row } from './rows.ts';
import { pattern, wordsOf } from './words.ts';

/** Lists in which others than the business may have written, too. */
const COMMENTS =
  /comment|thread|message|conversation|discussion|included|kommentar|commentaire|comentario/i;
/** Members of a reply or comment that say who wrote it, and those that say it without a name. */
const WHO = /\b(?:author|name|user|role|from|by|responder|writer|sender)\b|^type$|title$/;
const ROLE =
  /\b(?:role|from|by|sender|commentator)\b|\b(?:author|user|writer) (?:type|kind|role)\b|^(?:author|user|type)$/;
/** Lists that have replies of the business alone. */
const OF_BUSINESS = /owner|client|management|business|merchant|company|official/i;
const BUSINESS = pattern('{business}|{owner}', true);

/**
 * Leaves in lists of replies those of the business: other customers answer, too. A reply is the business's
 * if nobody is named as its author, or the author is called so or wrote to several customers. Of lists of
 * comments, which customers write to each other, those become replies that the business wrote by their role,
 * or by the name of the list.
 *
 * @returns with the rows the number of replies and comments by others
 */
export function ownReplies(
  rows: readonly NumberedRow[],
  business: string,
): { rows: readonly NumberedRow[]; others: number } {
  const written = new Map<string, number>();
  for (const { row } of rows) {
    const replies = listsIn(row).filter(({ name }) => isOfReplies(name));
    const writers = new Set(
      replies.flatMap(({ items }) => items.flatMap((each) => saidBy(each, WHO))),
    );
    for (const writer of writers) written.set(writer, (written.get(writer) ?? 0) + 1);
  }
  const own = ` ${wordsOf(business)} `;
  const isBusiness = (writer: string) => BUSINESS.test(writer) || ` ${writer} `.includes(own);
  const isOwnReply = (reply: Row) => {
    const flag = flagOf(reply);
    const writers = flag === undefined ? saidBy(reply, WHO) : [];
    if (flag !== undefined) return flag;
    return (
      writers.length === 0 ||
      writers.some((writer) => isBusiness(writer) || written.get(writer)! > 1)
    );
  };
  let others = 0;
  const left = rows.map((numbered) => {
    const lists = listsIn(numbered.row).map(({ name, items }): [string, Row[]] => {
      if (OF_BUSINESS.test(name)) return [`${name} reply`, items];
      const isReplies = isOfReplies(name);
      const ours = items.filter(
        isReplies ? isOwnReply : (each) => flagOf(each) ?? saidBy(each, ROLE).some(isBusiness),
      );
      others += items.length - ours.length;
      return [isReplies ? name : `${name} reply`, ours];
    });
    return lists.length === 0
      ? numbered
      : { ...numbered, row: { ...numbered.row, ...Object.fromEntries(lists) } };
  });
  return { rows: left, others };
}

const isOfReplies = (name: string) => REPLIES.test(name) && !OF_BUSINESS.test(name);

/** Returns the lists of replies and comments of a row, but those that only the business writes as replies. */
function listsIn(row: Row): { name: string; items: Row[] }[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const items = Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : [];
    const isWritten = REPLIES.test(name) ? !OF_BUSINESS.test(name) : COMMENTS.test(name);
    return items.length > 0 && isWritten ? [{ name, items }] : [];
  });
}

/** Returns the words of the members that say who wrote something. */
function saidBy(item: Row, names: RegExp): string[] {
  return Object.entries(flatten(item)).flatMap(([path, value]) =>
    names.test(wordsOf(path)) && typeof value === 'string' && value !== '' ? [wordsOf(value)] : [],
  );
}

/** Returns what a flag such as `is_owner` says. */
function flagOf(item: Row): boolean | undefined {
  const flag = Object.keys(item).find(
    (name) => typeof item[name] === 'boolean' && BUSINESS.test(wordsOf(name)),
  );
  return flag === undefined ? undefined : (item[flag] as boolean);
}
