import type { SearchFilters } from '../../schema/search.ts';
import { lineEnd, type ReviewLines } from '../document.ts';
import type { Matches } from './search-index.ts';

/** The body of a search answer: reviews are copied as the bytes they are in reviews.json. */
export function searchAnswer(
  lines: ReviewLines,
  filters: SearchFilters,
  matches: Matches,
  ignored: readonly string[],
): Buffer {
  const { positions } = matches;
  const { limit, ...echoed } = filters;
  const head = JSON.stringify({
    matched: matches.matched,
    returned: positions.length,
    limit,
    filters: echoed,
    ...(ignored.length > 0 && { ignored_params: ignored }),
  });
  const open = `${head.slice(0, -1)},"reviews":[\n`;
  const close = positions.length > 0 ? '\n]}\n' : ']}\n';

  const openLength = Buffer.byteLength(open);
  let length = openLength + close.length + Math.max(0, positions.length - 1) * SEPARATOR.length;
  for (const index of positions) length += lineEnd(lines, index) - lines.starts[index]!;

  const body = Buffer.allocUnsafe(length);
  let at = body.write(open);
  positions.forEach((index, order) => {
    if (order > 0) at += body.write(SEPARATOR, at, 'latin1');
    at += lines.bytes.copy(body, at, lines.starts[index]!, lineEnd(lines, index));
  });
  body.write(close, at, 'latin1');
  return body;
}

const SEPARATOR = ',\n';
