import type { z } from 'zod';
import { countFilters, MAX_EXAMPLES, type CountFilters } from '../schema/count.ts';
import { SORTS } from '../schema/cursor.ts';
import type { Issue } from '../schema/error.ts';
import { GROUPS, PLACES } from '../schema/groups.ts';
import { sentiment } from '../schema/insights.ts';
import { calendarDate } from '../schema/primitives.ts';
import {
  LIMIT,
  NAME_MAX_LENGTH,
  QUERY_MAX_LENGTH,
  searchFilters,
  type SearchFilters,
} from '../schema/search.ts';

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

const invalid = (name: string, parse: Parameter['parse'], message: string): Parameter => ({
  parse,
  code: `invalid_${name}`,
  message,
});
const text = (most: number): Parameter => ({
  parse: String,
  code: 'too_long',
  message: `must have at most ${most} characters`,
});
const oneOf = (name: string, values: readonly string[]): Parameter =>
  invalid(name, String, `must be ${inWords(values, 'or')}`);
const listOf = (name: string, values: readonly string[]): Parameter =>
  invalid(name, (list) => list.split(','), `must be different ones of ${inWords(values, 'and')}`);
const flag = (name: string): Parameter =>
  invalid(name, (word) => FLAGS.get(word) ?? word, 'must be true or false');

const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);
const DAY: Parameter = {
  parse: String,
  code: 'invalid_date',
  message: 'must be a calendar day, YYYY-MM-DD',
};
const NAME = text(NAME_MAX_LENGTH);
const STARS = 'must be a number from 1 to 5';

type Parameters = SearchFilters & CountFilters;

const PARAMETERS: Record<keyof Parameters, Parameter> = {
  rating: invalid('rating', integer, 'must be a whole number from 1 to 5'),
  min_rating: invalid('min_rating', decimal, STARS),
  max_rating: invalid('max_rating', decimal, STARS),
  since: DAY,
  until: DAY,
  query: text(QUERY_MAX_LENGTH),
  match: oneOf('match', ['substring', 'words']),
  in: listOf('in', PLACES),
  aspect: NAME,
  sentiment: oneOf('sentiment', sentiment.options),
  mentions_technician: NAME,
  mentions_service: NAME,
  mentions_problem: NAME,
  mentions_area: NAME,
  topic: NAME,
  source: NAME,
  language: NAME,
  has_reply: flag('has_reply'),
  has_text: flag('has_text'),
  sort: oneOf('sort', SORTS),
  cursor: invalid('cursor', String, 'must be the next of an earlier response with the same sort'),
  detail: oneOf('detail', ['full', 'brief']),
  facets: listOf('facets', GROUPS),
  limit: invalid('limit', integer, `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`),
  group_by: {
    ...listOf('group_by', GROUPS),
    message: `must be one or two different ones of ${inWords(GROUPS, 'and')}`,
  },
  examples: invalid('examples', integer, `must be a whole number from 0 to ${MAX_EXAMPLES}`),
};

/** Every parameter of a search, in the order of the schema. */
export const SEARCH_PARAMETERS = Object.keys(searchFilters.shape) as (keyof SearchFilters)[];

export type ParsedParameters<T> = { filters: T; ignored: string[] } | { issues: Issue[] };

/** Returns the parameters of a search that a query string has a value for, in the schema's order. */
export function givenParameters(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    SEARCH_PARAMETERS.flatMap((name) =>
      query
        .getAll(name)
        .filter((value) => value !== '')
        .map((value) => [name, value]),
    ),
  );
}

/** Limits how much a client can make the response carry. */
const IGNORED_MAX = 20;

export function parseSearchParameters(query: URLSearchParams): ParsedParameters<SearchFilters> {
  return parseParameters(searchFilters, query);
}

export function parseCountParameters(query: URLSearchParams): ParsedParameters<CountFilters> {
  return parseParameters(countFilters, query);
}

/**
 * Parses a query string, strictly. Empty parameters count as absent, repeated ones are issues,
 * unknown ones are ignored and listed. Every invalid parameter is listed once, in the order of the
 * schema.
 */
function parseParameters<S extends typeof searchFilters | typeof countFilters>(
  schema: S,
  query: URLSearchParams,
): ParsedParameters<z.output<S>> {
  const input: Record<string, unknown> = {};
  const repeated = new Set<string>();
  const ignored = new Set<string>();
  for (const [name, value] of query) {
    if (!Object.hasOwn(schema.shape, name)) ignored.add(name);
    else if (value === '') continue;
    else if (Object.hasOwn(input, name)) repeated.add(name);
    else input[name] = PARAMETERS[name as keyof Parameters].parse(value);
  }
  const parsed = schema.safeParse(input);
  if (parsed.success && repeated.size === 0) {
    const filters = parsed.data as z.output<S>;
    return { filters, ignored: [...ignored].slice(0, IGNORED_MAX).sort() };
  }
  const refused = new Set(parsed.error?.issues.map((issue) => issue.path[0]));
  const issues = (Object.keys(schema.shape) as (keyof Parameters)[]).flatMap((name) => {
    if (repeated.has(name)) {
      return { path: [name], code: 'repeated', message: `${name} must be given once` };
    }
    return refused.has(name) ? filterIssue(name) : [];
  });
  return { issues };
}

/** Returns the issue of a filter whose value the schema refused. */
export function filterIssue(name: keyof Parameters): Issue {
  const { code, message } = PARAMETERS[name];
  return { path: [name], code, message: `${name} ${message}` };
}

/** Returns the calendar day that a path names, or undefined. */
export function parseDay(text: string): string | undefined {
  return calendarDate.safeParse(text).data;
}

function inWords(values: readonly string[], conjunction: string): string {
  return `${values.slice(0, -1).join(', ')} ${conjunction} ${values.at(-1)}`;
}
