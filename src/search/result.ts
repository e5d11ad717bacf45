import { lineEnd, reviewLine, type ReviewLines } from '../dataset/document.ts';
import type { Issue } from '../schema/error.ts';
import type { Review } from '../schema/review.ts';
import type { SearchFilters, SearchResult } from '../schema/search.ts';
import { parseSearchParameters, SEARCH_PARAMETERS } from './parameters.ts';
import type { Matches, MentionNames, NamedId, SearchIndex } from './search-index.ts';

/** Returns the JSON body of a search result; reviews are copied as their bytes in reviews.json. */
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

function sliceEnd(
  lines: ReviewLines,
  positions: readonly number[],
  order: number,
  last: number,
): number {
  const position = positions[order]!;
  return order === last ? lineEnd(lines, position) : lines.starts[position + 1]!;
}

/** Returns a search result without its reviews. */
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

type Parameter = keyof SearchFilters;

export interface Choice {
  value: string;
  label: string;
}

/** Everything that the search page shows: plain data, computed where the reviews are. */
export interface SearchView {
  /** The parameters as they were typed; empty where one was left out. */
  asked: Record<Parameter, string>;
  /** The query string of this search, for links, without unknown parameters. */
  link: string;
  /** Issues by parameter. */
  issues: Partial<Record<Parameter, Issue>>;
  /** Null when there are issues. */
  found: { matched: number; reviews: Review[] } | null;
  choices: { mentions_technician: Choice[]; mentions_service: Choice[] };
}

export function searchView(
  query: URLSearchParams,
  search: SearchIndex,
  names: MentionNames,
): SearchView {
  const given = SEARCH_PARAMETERS.flatMap((name) =>
    query
      .getAll(name)
      .filter((value) => value !== '')
      .map((value) => [name, value]),
  );
  const first = (name: Parameter) => given.find(([parameter]) => parameter === name)?.[1] ?? '';
  const view = {
    asked: Object.fromEntries(
      SEARCH_PARAMETERS.map((name) => [name, first(name)]),
    ) as SearchView['asked'],
    link: new URLSearchParams(given).toString(),
    choices: {
      mentions_technician: choices(names.technicians),
      mentions_service: choices(names.services),
    },
  };
  const parsed = parseSearchParameters(query);
  if ('issues' in parsed) {
    const issues = Object.fromEntries(parsed.issues.map((issue) => [issue.path[0], issue]));
    return { ...view, issues, found: null };
  }
  const { matched, positions } = search.search(parsed.filters);
  const reviews = positions.map(
    (position) => JSON.parse(reviewLine(search.lines, position).toString()) as Review,
  );
  return { ...view, issues: {}, found: { matched, reviews } };
}

/** Offers each id under the first of its names. */
function choices(entries: readonly NamedId[]): Choice[] {
  return entries
    .map(({ id, names }) => ({ value: id, label: names[0] ?? id }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}
