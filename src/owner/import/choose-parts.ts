import { READABLE, RECOGNIZED, type Rank } from './rank.ts';
import { columnsOf, type NumberedRow } from './rows.ts';
import type { Unread } from './table.ts';

/** A list of JSON, a sheet of a workbook, or an entry of an archive. */
interface Part {
  /** Its name in sentences. */
  what: string;
  rows: readonly NumberedRow[];
  isHidden?: boolean;
  /** The keys that lead to a list. */
  path?: string;
}

/** Names of parts whose reviews are not shown, or not of customers. */
export const OF_OTHERS =
  /delet|remov|reject|hidden|spam|pending|draft|trash|unpublish|written|given|question|faq|gel(?:ö|oe)scht|abgelehnt|versteckt|competit|konkurren/i;

/**
 * Chooses the part of a file whose rows look most like reviews, and those that have most of its columns.
 * Those called rejected or the like are chosen only where there are no others, and then hidden ones.
 *
 * @param areRead true if each is read by itself, so that any in a known format is chosen
 * @returns with them the parts that look like reviews and are left out
 */
export function chooseParts<T extends Part>(
  parts: readonly T[],
  rank: Rank,
  areRead: boolean,
): { chosen: T[]; unread: Unread[] } {
  const ranked = parts.map((part) => {
    const rows = part.rows.filter(({ cut }) => cut === undefined).map(({ row }) => row);
    const columns = new Set(columnsOf(rows));
    const aside = part.isHidden ? 2 : Number(OF_OTHERS.test(part.what));
    return { part, rank: rank(rows), columns, aside };
  });
  const [best] = ranked.toSorted(
    (a, b) => a.aside - b.aside || b.rank - a.rank || b.part.rows.length - a.part.rows.length,
  );
  const isChosen = (each: (typeof ranked)[number]) => {
    if (each === best || each.aside > 0) return each === best;
    const shared = each.columns.intersection(best!.columns).size;
    const isAlike = shared * 2 > Math.max(each.columns.size, best!.columns.size);
    const isReadable = each.rank >= READABLE && isApart(each.part, best!.part);
    return (isReadable && isAlike) || (areRead && each.rank >= RECOGNIZED);
  };
  const all = ranked.filter(isChosen).map(({ part }) => part);
  const chosen = all.filter((part) => part === best!.part || !areIn(part.rows, best!.part.rows));
  const unread = ranked.filter((each) => {
    // The only object around all lists has their columns, too.
    const isAround = each.part.rows.length === 1 && !all.every((one) => isApart(each.part, one));
    return each.rank >= READABLE && !isChosen(each) && !isAround;
  });
  return {
    chosen,
    unread: unread.map(({ part: { what, rows } }) => ({ what, rows: rows.length })),
  };
}

/** Tells whether rows are a choice of the others, such as those that are featured. */
function areIn(rows: readonly NumberedRow[], others: readonly NumberedRow[]): boolean {
  const known = new Set(others.map(({ row }) => JSON.stringify(row)));
  return rows.every(({ row }) => known.has(JSON.stringify(row)));
}

/** Tells whether no list is inside of the other: those around reviews and inside of them are places and replies. */
function isApart({ path: one }: Part, { path: other }: Part): boolean {
  if (one === undefined || other === undefined) return true;
  const isAround = (outer: string, inner: string) =>
    inner.startsWith(outer) && (outer === '' || /^(?:$|[.#])/.test(inner.slice(outer.length)));
  return !isAround(one, other) && !isAround(other, one);
}
