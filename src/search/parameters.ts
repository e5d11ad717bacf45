import { z } from 'zod';
import type { Issue } from '../schema/error.ts';
import { LIMIT, QUERY_MAX_LENGTH, searchFilters, type SearchFilters } from '../schema/search.ts';

interface Parameter {
  /** Turns text into a typed value; text that is no such value is left to the schema to refuse. */
  parse: (text: string) => unknown;
  /** Code and message of the issue when the schema refuses the value. */
  code: string;
  message: string;
}

/** Coercion alone would let `1e2` through. */
const number = (pattern: RegExp) => (text: string) => (pattern.test(text) ? Number(text) : text);
const integer = number(/^-?\d+$/);
const decimal = number(/^-?\d+(\.\d+)?$/);

const DAY: Parameter = {
  parse: String,
  code: 'invalid_date',
  message: 'must be a calendar day, YYYY-MM-DD',
};
const TEXT: Parameter = {
  parse: String,
  code: 'too_long',
  message: `must have at most ${QUERY_MAX_LENGTH} characters`,
};

const PARAMETERS: Record<keyof SearchFilters, Parameter> = {
  rating: {
    parse: integer,
    code: 'invalid_rating',
    message: 'must be a whole number from 1 to 5',
  },
  min_rating: {
    parse: decimal,
    code: 'invalid_min_rating',
    message: 'must be a number from 1 to 5',
  },
  since: DAY,
  until: DAY,
  query: TEXT,
  mentions_technician: TEXT,
  mentions_service: TEXT,
  limit: {
    parse: integer,
    code: 'invalid_limit',
    message: `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`,
  },
};

/** Every parameter of a search, in the order of the schema. */
export const SEARCH_PARAMETERS = Object.keys(PARAMETERS) as (keyof SearchFilters)[];

export type ParsedParameters = { filters: SearchFilters; ignored: string[] } | { issues: Issue[] };

/** Limits how much a client can make the response carry. */
const IGNORED_MAX = 20;

/**
 * Parses the query string of a search, strictly. Empty parameters count as absent, repeated ones
 * are issues, unknown ones are ignored and listed. Every invalid parameter is listed once, in the
 * order of the schema.
 */
export function parseSearchParameters(query: URLSearchParams): ParsedParameters {
  const input: Record<string, unknown> = {};
  const repeated = new Set<string>();
  const ignored = new Set<string>();
  for (const [name, value] of query) {
    if (!Object.hasOwn(PARAMETERS, name)) ignored.add(name);
    else if (value === '') continue;
    else if (Object.hasOwn(input, name)) repeated.add(name);
    else input[name] = PARAMETERS[name as keyof SearchFilters].parse(value);
  }
  const parsed = searchFilters.safeParse(input);
  if (parsed.success && repeated.size === 0) {
    return { filters: parsed.data, ignored: [...ignored].slice(0, IGNORED_MAX).sort() };
  }
  const refused = new Set(parsed.error?.issues.map((issue) => issue.path[0]));
  const issues = SEARCH_PARAMETERS.flatMap((name) => {
    if (repeated.has(name)) {
      return { path: [name], code: 'repeated', message: `${name} must be given once` };
    }
    return refused.has(name) ? filterIssue(name) : [];
  });
  return { issues };
}

/** Returns the issue of a filter whose value the schema refused. */
export function filterIssue(name: keyof SearchFilters): Issue {
  const { code, message } = PARAMETERS[name];
  return { path: [name], code, message: `${name} ${message}` };
}

/** Returns the calendar day that a path names, or undefined. */
export function parseDay(text: string): string | undefined {
  return z.iso.date().safeParse(text).data;
}
