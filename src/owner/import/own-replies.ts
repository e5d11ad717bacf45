import { flatten, isRow, REPLIES, type NumberedRow, type Row } from './rows.ts';
import { pattern, wordsOf } from './words.ts';

/** Lists in which others than the business may have written, too. */
const COMMENTS =
  /comment|thread|message|conversation|discussion|included|kommentar|commentaire|comentario/i;
/** Members of a reply or comment that say who wrote it, and those that say it without a name. */
const WHO = /\b(?:author|name|user|role|from|by|responder|writer|sender|usertitle)\b|^type$/;
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
    const writers = new Set<string>();
    withLists(row, ({ name, items, isOfReplies }) => {
      const all = isOfReplies ? items.flatMap((each) => saidBy(each, WHO)) : [];
      for (const writer of all) writers.add(writer);
      return [name, items];
    });
    for (const writer of writers) written.set(writer, (written.get(writer) ?? 0) + 1);
  }
  const own = ` ${wordsOf(business)} `;
  const isBusiness = (writer: string) => BUSINESS.test(writer) || ` ${writer} `.includes(own);
  const isOwnReply = (reply: Row) => {
    const writers = saidBy(reply, WHO);
    const isKnown = (writer: string) => isBusiness(writer) || written.get(writer)! > 1;
    return writers.length === 0 || writers.some(isKnown);
  };
  const isOwnComment = (comment: Row) => saidBy(comment, ROLE).some(isBusiness);
  let others = 0;
  const ownIn = ({ name, path, items, isOfReplies }: List): [string, Row[]] => {
    const isOwn = isOfReplies ? isOwnReply : isOwnComment;
    const ours = items.filter((item) => OF_BUSINESS.test(path) || (flagOf(item) ?? isOwn(item)));
    others += items.length - ours.length;
    return [REPLIES.test(name) ? name : `${name} reply`, ours];
  };
  const left = rows.map((each) => ({ ...each, row: withLists(each.row, ownIn) }));
  return { rows: left, others };
}

/** A list of replies or comments. */
interface List {
  name: string;
  /** With the names of the objects around it. */
  path: string;
  items: Row[];
  isOfReplies: boolean;
}

/** Returns a member as a list of replies or comments, unless only the business writes there as replies. */
function listOf(path: string, name: string, items: unknown): List | undefined {
  const isOfReplies = REPLIES.test(path);
  const isWritten = isOfReplies ? !OF_BUSINESS.test(path) : COMMENTS.test(path);
  const isList = isWritten && Array.isArray(items) && items.length > 0 && items.every(isRow);
  return isList ? { name, path, items, isOfReplies } : undefined;
}

/** Returns a row with other lists beside or in the place of its own; the same row if it has none. */
function withLists(row: Row, change: (list: List) => [string, Row[]], around = ''): Row {
  const changed = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    const path = around + name;
    if (isRow(value)) {
      const inner = withLists(value, change, `${path} `);
      return inner === value ? [] : [[name, inner]];
    }
    const list = listOf(path, name, value);
    return list ? [change(list)] : [];
  });
  return changed.length > 0 ? { ...row, ...Object.fromEntries(changed) } : row;
}

/** Returns the words of the members that say who wrote something. */
function saidBy(item: Row, names: RegExp): string[] {
  return Object.entries(flatten(item)).flatMap(([path, value]) =>
    names.test(wordsOf(path)) && typeof value === 'string' && value !== '' ? [wordsOf(value)] : [],
  );
}

/** Returns what a flag such as `is_owner` says. */
function flagOf(item: Row): boolean | undefined {
  const flags = Object.entries(item).filter(([name]) => BUSINESS.test(wordsOf(name)));
  return flags.map(([, value]) => value).find((value) => typeof value === 'boolean');
}
