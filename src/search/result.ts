import type { SearchFilters, SearchResult } from '../schema/search.ts';
import { lineEnd, type ReviewLines } from '../dataset/document.ts';
import type { Matches } from './search-index.ts';

/** The body of a search answer: reviews are copied as the bytes they are in reviews.json. */
export function searchAnswer(
  lines: ReviewLines,
  filters: SearchFilters,
  matches: Matches,
  ignored: readonly string[],
): Buffer {
  const { positions } = matches;
  const head = JSON.stringify(searchHead(filters, matches, ignored));
  const open = `${head.slice(0, -1)},"reviews":[\n`;
  const close = positions.length > 0 ? '\n]}\n' : ']}\n';

  // Positions ascend, so only the last may lack the comma and the line break behind it.
  const last = positions.length - 1;
  let length = Buffer.byteLength(open) + close.length;
  for (let order = 0; order <= last; order++)
    length += sliceEnd(lines, positions, order, last) - lines.starts[positions[order]!]!;

  const body = Buffer.allocUnsafe(length);
  let at = body.write(open);
  for (let order = 0; order <= last;) {
    const from = lines.starts[positions[order]!]!;
    let end = sliceEnd(lines, positions, order++, last);
    while (order <= last && lines.starts[positions[order]!] === end)
      end = sliceEnd(lines, positions, order++, last);
    at += lines.bytes.copy(body, at, from, end);
  }
  body.write(close, at, 'latin1');
  return body;
}

/** What an answer says besides the reviews. */
export function searchHead(
  filters: SearchFilters,
  { matched, positions }: Matches,
  ignored: readonly string[],
): Omit<SearchResult, 'reviews'> {
  const { limit, ...echoed } = filters;
  return {
    matched,
    returned: positions.length,
    limit,
    filters: echoed,
    ...(ignored.length > 0 && { ignored_params: [...ignored] }),
  };
}

function sliceEnd(
  lines: ReviewLines,
  positions: readonly number[],
  order: number,
  last: number,
): number {
  const position = positions[order]!;
  return order === last ? lineEnd(lines, position) : lines.starts[position + 1]!;
}
