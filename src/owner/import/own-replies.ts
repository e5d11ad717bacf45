import { flatten, isJsonObject, REPLIES, type NumberedRow, type Row } from './rows.ts';
import { pattern, wordsOf } from './words.ts';

/** Members of a reply that say who wrote it. */
const WHO = /\b(?:author|name|user|role|from|by|responder|writer|sender|usertitle)\b|^type$/;
/** Lists in which customers write to each other, too. */
const COMMENTS = /comment|thread|message|conversation|discussion/i;
/** Members of a comment that say who wrote it without a name. */
const ROLE =
  /\b(?:role|from|by|sender)\b|\b(?:author|user|writer) (?:type|kind|role)\b|^(?:author|user|type)$/;
/** Lists that have replies of the business alone. */
const OF_BUSINESS = /owner|client|management|business|merchant|company|official/i;
const BUSINESS = pattern('{business}|{owner}', true);

/**
 * Puts the first reply of the business in the place of each list of replies: other customers answer, too.
 * A reply is the business's if a flag or the name of its list says so, if nobody is named as its author, or
 * if the author is called so or wrote to several customers. A comment is a reply only if a role says so.
 *
 * @returns with the rows the number of replies by others
 */
export function ownReplies(
  rows: readonly NumberedRow[],
  business: string,
): { rows: NumberedRow[]; others: number } {
  const written = new Map<string, number>();
  for (const { row } of rows) {
    const replies = listsOf(row).flatMap(([path, items]) => (REPLIES.test(path) ? items : []));
    const writers = replies.flatMap((reply) => saidBy(reply, WHO));
    for (const writer of new Set(writers)) written.set(writer, (written.get(writer) ?? 0) + 1);
  }
  const own = ` ${wordsOf(business)} `;
  const isBusiness = (writer: string) => BUSINESS.test(writer) || ` ${writer} `.includes(own);
  const isOwnReply = (reply: Reply) => {
    const writers = saidBy(reply, WHO);
    const isKnown = (writer: string) => isBusiness(writer) || written.get(writer)! > 1;
    return writers.length === 0 || writers.some(isKnown);
  };
  const isOwnComment = (comment: Reply) => saidBy(comment, ROLE).some(isBusiness);
  let others = 0;
  const read = rows.map((each) => {
    const found = listsOf(each.row).map(([path, replies]) => {
      const [isOwn, name] = REPLIES.test(path)
        ? [isOwnReply, path]
        : [isOwnComment, `${path} reply`];
      const ours = replies.filter((reply) => {
        return OF_BUSINESS.test(path) || (flagOf(reply) ?? isOwn(reply));
      });
      others += replies.length - ours.length;
      return [name, ours[0] ? { 0: ours[0] } : null];
    });
    if (found.length === 0) return each;
    return { ...each, row: flatten({ ...each.row, ...Object.fromEntries(found) }) };
  });
  return { rows: read, others };
}

type Reply = Readonly<Record<string, unknown>>;

/** Returns the lists of replies and comments in a row, by their paths. */
function listsOf(row: Row): [path: string, replies: readonly Reply[]][] {
  return Object.entries(row).flatMap(([path, value]): [string, readonly Reply[]][] =>
    (REPLIES.test(path) || COMMENTS.test(path)) &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isJsonObject)
      ? [[path, value]]
      : [],
  );
}

/** Returns the words of the members that say who wrote a reply. */
function saidBy(reply: Reply, names: RegExp): string[] {
  return Object.entries(flatten(reply)).flatMap(([path, value]) =>
    names.test(wordsOf(path)) && typeof value === 'string' && value !== '' ? [wordsOf(value)] : [],
  );
}

/** Returns what a flag such as `is_owner` says. */
function flagOf(reply: Reply): boolean | undefined {
  const flags = Object.entries(reply).filter(([name]) => BUSINESS.test(wordsOf(name)));
  return flags.map(([, value]) => value).find((value) => typeof value === 'boolean');
}
