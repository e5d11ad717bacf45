import { z } from 'zod';
import type { Issue } from '../schema/error.ts';
import { LIMIT, QUERY_MAX_LENGTH, searchFilters, type SearchFilters } from '../schema/search.ts';

const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** How the text of a parameter becomes a typed value. Coercion alone would let `1e2` through. */
const PARSERS: Record<keyof SearchFilters, (text: string) => unknown> = {
  rating: (text) => (INTEGER.test(text) ? Number(text) : text),
  min_rating: (text) => (DECIMAL.test(text) ? Number(text) : text),
  since: String,
  until: String,
  query: String,
  mentions_technician: String,
  mentions_service: String,
  limit: (text) => (INTEGER.test(text) ? Number(text) : text),
};

const CODES: Record<keyof SearchFilters, string> = {
  rating: 'invalid_rating',
  min_rating: 'invalid_min_rating',
  since: 'invalid_date',
  until: 'invalid_date',
  query: 'too_long',
  mentions_technician: 'too_long',
  mentions_service: 'too_long',
  limit: 'invalid_limit',
};

const TOO_LONG = `must have at most ${QUERY_MAX_LENGTH} characters`;

const MESSAGES: Record<keyof SearchFilters, string> = {
  rating: 'must be a whole number from 1 to 5',
  min_rating: 'must be a number from 1 to 5',
  since: 'must be a calendar day, YYYY-MM-DD',
  until: 'must be a calendar day, YYYY-MM-DD',
  query: TOO_LONG,
  mentions_technician: TOO_LONG,
  mentions_service: TOO_LONG,
  limit: `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`,
};

/** Every parameter of a search, in the order of the schema. */
export const SEARCH_PARAMETERS = Object.keys(PARSERS) as (keyof SearchFilters)[];

export type ParsedParameters = { filters: SearchFilters; ignored: string[] } | { issues: Issue[] };

/**
 * The query string of a search, strictly. Empty is absent, repeated is an issue, unknown is
 * ignored and named. Every failing parameter is listed, once, in the order of the schema.
 */
export function parseSearchParameters(query: URLSearchParams): ParsedParameters {
  const input: Record<string, unknown> = {};
  const repeated = new Set<string>();
  const ignored = new Set<string>();
  for (const [name, value] of query) {
    if (!Object.hasOwn(PARSERS, name)) ignored.add(name);
    else if (value === '') continue;
    else if (Object.hasOwn(input, name)) repeated.add(name);
    else input[name] = PARSERS[name as keyof SearchFilters](value);
  }
  const parsed = searchFilters.safeParse(input);
  if (parsed.success && repeated.size === 0) {
    return { filters: parsed.data, ignored: [...ignored].slice(0, IGNORED_MAX).sort() };
  }
  const failed = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  return { issues: searchIssues(failed, repeated) };
}

/** Bounds what a caller can make the answer carry. */
const IGNORED_MAX = 20;

function searchIssues(failed: ReadonlySet<string>, repeated: ReadonlySet<string>): Issue[] {
  return SEARCH_PARAMETERS.filter((name) => failed.has(name) || repeated.has(name)).map((name) =>
    repeated.has(name)
      ? { path: [name], code: 'repeated', message: `${name} must be given once` }
      : filterIssue(name),
  );
}

/** What is wrong with a filter whose value the schema refused. */
export function filterIssue(name: keyof SearchFilters): Issue {
  return { path: [name], code: CODES[name], message: `${name} ${MESSAGES[name]}` };
}

/** A calendar day from a path, or undefined. */
export function parseDay(text: string): string | undefined {
  return z.iso.date().safeParse(text).data;
}
