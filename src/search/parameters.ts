import { z } from 'zod';
import { countFilters, type CountFilters } from '../schema/count.ts';
import type { Issue } from '../schema/error.ts';
import { GROUPS } from '../schema/groups.ts';
import { searchFilters, type SearchFilters } from '../schema/search.ts';

const SHAPE = { ...searchFilters.shape, ...countFilters.shape };
type Name = keyof typeof SHAPE;

/** Rules of parameters that their types do not tell. */
const RULES: Partial<Record<Name, string>> = {
  cursor: 'must be the next of an earlier response with the same sort',
  group_by: `must be one or two different ones of ${inWords(GROUPS, 'and')}`,
};

/** Coercion alone would let `1e2` through. */
const NUMBERS = { whole: /^-?\d+$/, decimal: /^-?\d+(\.\d+)?$/ };

/** Turns text into a typed value; text that is no such value is left to the schema to refuse. */
function typed(name: Name, text: string): unknown {
  const type = SHAPE[name].unwrap();
  if (type instanceof z.ZodNumber) {
    return NUMBERS[type.isInt ? 'whole' : 'decimal'].test(text) ? Number(text) : text;
  }
  if (type instanceof z.ZodBoolean && /^(true|false)$/.test(text)) return text === 'true';
  return type instanceof z.ZodArray ? text.split(',') : text;
}

/** Returns the issue of a filter whose value the schema refused. */
export function filterIssue(name: Name): Issue {
  const [message, code = `invalid_${name}`] = refusalOf(name);
  return { path: [name], code, message: `${name} ${message}` };
}

function refusalOf(name: Name): [message: string, code?: string] {
  const type = SHAPE[name].unwrap();
  const rule = RULES[name];
  if (rule !== undefined) return [rule];
  if (type instanceof z.ZodBoolean) return ['must be true or false'];
  if (type instanceof z.ZodEnum) return [`must be ${inWords(type.options, 'or')}`];
  if (type instanceof z.ZodNumber) {
    const kind = type.isInt ? 'a whole number' : 'a number';
    return [`must be ${kind} from ${type.minValue} to ${type.maxValue}`];
  }
  if (type instanceof z.ZodArray) {
    return [`must be different ones of ${inWords(type.element.options, 'and')}`];
  }
  if (type.format === 'date') return ['must be a calendar day, YYYY-MM-DD', 'invalid_date'];
  return [`must have at most ${type.maxLength} characters`, 'too_long'];
}

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
    else input[name] = typed(name as Name, value);
  }
  const parsed = schema.safeParse(input);
  if (parsed.success && repeated.size === 0) {
    const filters = parsed.data as z.output<S>;
    return { filters, ignored: [...ignored].slice(0, IGNORED_MAX).sort() };
  }
  const refused = new Set(parsed.error?.issues.map((issue) => issue.path[0]));
  const issues = (Object.keys(schema.shape) as Name[]).flatMap((name) => {
    if (repeated.has(name)) {
      return { path: [name], code: 'repeated', message: `${name} must be given once` };
    }
    return refused.has(name) ? filterIssue(name) : [];
  });
  return { issues };
}

function inWords(values: readonly string[], conjunction: string): string {
  return `${values.slice(0, -1).join(', ')} ${conjunction} ${values.at(-1)}`;
}
