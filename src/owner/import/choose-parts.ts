import { READABLE, RECOGNIZED, type Rank } from './rank.ts';
import { columnsOf, type NumberedRow } from './rows.ts';
import type { Unread } from './table.ts';

/** A list of JSON, a sheet of a workbook, or an entry of an archive. */
interface Part {
  /** Its name in sentences. */
  what: string;
  rows: readonly NumberedRow[];
  isHidden?: boolean;
}

/** The least rank of lists apart from the reviews that are named when they are left out. */
const MAYBE_REVIEWS = 2;
/** Names of parts whose reviews are not shown, or not of customers. */
export const OF_OTHERS =
  /delet|remov|reject|hidden|spam|pending|draft|trash|unpublish|written|given|question|faq|gel(?:ö|oe)scht|abgelehnt|versteckt|competit|konkurren/i;

/**
 * Chooses the part of a file whose rows look most like reviews, and all that are in a known format.
 * Those called rejected or the like are chosen only where there are no others, and then hidden ones.
 *
 * @param areTables true if parts with the columns of the best one belong to it
 * @returns with them the parts that look like reviews and are left out
 */
export function chooseParts<T extends Part>(
  parts: readonly T[],
  rank: Rank,
  areTables: boolean,
): { chosen: T[]; unread: Unread[] } {
  const ranked = parts.map((part) => {
    const rows = part.rows.filter(({ cut }) => cut === undefined).map(({ row }) => row);
    const columns = columnsOf(rows).sort().join('\n');
    const aside = part.isHidden ? 2 : Number(OF_OTHERS.test(part.what));
    return { part, rank: rank(rows), columns, aside };
  });
  const [best] = ranked.toSorted(
    (a, b) => a.aside - b.aside || b.rank - a.rank || b.part.rows.length - a.part.rows.length,
  );
  const isChosen = (each: (typeof ranked)[number]) => {
    const isAlike = areTables && each.columns === best!.columns;
    return each === best || (each.aside === 0 && (isAlike || each.rank >= RECOGNIZED));
  };
  const chosen = ranked.filter(isChosen).map(({ part }) => part);
  // Lists around reviews and inside of them are places and replies.
  const isApart = ({ part: { what, rows } }: (typeof ranked)[number]) =>
    rows.length > 1 &&
    !chosen.some((each) => each.what.startsWith(what) || what.startsWith(each.what));
  const unread = ranked.filter((each) => {
    // The only object around all lists has their columns, too.
    if (each.part.rows.length === 1 && each.part !== chosen[0] && !areTables) return false;
    const least = !areTables && isApart(each) ? MAYBE_REVIEWS : READABLE;
    return !isChosen(each) && each.rank >= least;
  });
  return {
    chosen,
    unread: unread.map(({ part: { what, rows } }) => ({ what, rows: rows.length })),
  };
}
