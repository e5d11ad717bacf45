import { z } from 'zod';
import { dayIn } from '../base/days.ts';
import { keptWith } from '../base/kept.ts';
import type { Issue } from '../schema/error.ts';
import { GROUPS } from '../schema/groups.ts';
import { nearestNameOf } from './argument-names.ts';
import { NAME_FILTERS } from './filter-names.ts';

// The one reader of arguments: of query strings, and of the JSON of tool calls.

/** Arguments as a client wrote them; a name may occur several times. */
export type Given = Iterable<readonly [name: string, value: unknown]>;

type ReadArguments<T> = { args: T; ignored: string[] } | { issues: Issue[] };

/** Limits on what a client can make a response carry, and compute. */
const UNKNOWN_MAX = 20;
const UNKNOWN_NAME_MAX = 100;

/**
 * Reads arguments as clients write them. Empty text, an empty list and null count as absent. A list
 * may be repeated, bracketed (`x[]`, `x[0]`), separated by commas, or JSON in text. A time stands for
 * its day, a year or a month for its days. An object around all of them is taken off. Unknown names are ignored and listed, unless they resemble
 * a known one. Every issue is listed, one for each name, known names first in the order of the schema.
 */
export function readArguments<S extends z.ZodObject>(
  schema: S,
  given: Given,
): ReadArguments<z.output<S>> {
  const { values, unknown } = collectValues(schema, given);
  const types = typesOf(schema);
  const input: Record<string, unknown> = {};
  const repeated = new Set<string>();
  for (const [name, all] of values) {
    const value = readValue(name, types[name]!, all);
    if (value === REPEATED) repeated.add(name);
    else if (value !== undefined) input[name] = value;
  }
  const parsed = schema.safeParse(input);
  const refused = new Set(parsed.error?.issues.map(({ path }) => path[0]));
  const issues = Object.keys(schema.shape).flatMap((name): Issue[] => {
    if (repeated.has(name)) {
      return [{ path: [name], code: 'repeated', message: `${name} must be given once` }];
    }
    if (values.get(name)?.some((value) => String(value).includes('\uFFFD'))) {
      return [{ path: [name], code: 'not_utf8', message: `${name} must be encoded as UTF-8` }];
    }
    return refused.has(name) ? [argumentIssue(schema, name)] : [];
  });
  const ignored: string[] = [];
  const nearestName = unknown.size > 0 ? nearestNameOf(Object.keys(schema.shape)) : undefined;
  for (const [name, isGiven] of [...unknown].slice(0, UNKNOWN_MAX)) {
    const inner = INNER_NAME.exec(name)?.[1] ?? '';
    const nearest = Object.hasOwn(schema.shape, inner) ? inner : nearestName!(name);
    if (!isGiven || nearest === undefined) ignored.push(name);
    else issues.push(unknownIssue(name, nearest));
  }
  if (!parsed.success || issues.length > 0) return { issues };
  return { args: parsed.data, ignored: ignored.sort() };
}

/** Returns the known arguments as a query string has them, as they were given, in the schema's order. */
export function givenArguments(schema: z.ZodObject, given: Given): URLSearchParams {
  const { values } = collectValues(schema, given);
  const texts = Object.keys(schema.shape).flatMap((name) => {
    const all = (values.get(name) ?? []).map(String);
    const joined = isList(name, typesOf(schema)[name]!) && all.length > 0 ? [all.join()] : all;
    return joined.map((text) => [name, text]);
  });
  return new URLSearchParams(texts);
}

/**
 * Collects the values of each known name.
 *
 * @returns `unknown` with the other names, and whether any has a value
 */
function collectValues({ shape }: z.ZodObject, given: Given) {
  const values = new Map<string, unknown[]>();
  const unknown = new Map<string, boolean>();
  const add = (name: string, value: unknown): void => {
    const known = Object.hasOwn(shape, name) ? name : LIST_NAME.exec(name)?.[1];
    const isGiven = value !== '' && value !== null && value !== undefined;
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) add(name, each);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner);
    } else if (known === undefined || !Object.hasOwn(shape, known)) {
      const short = name.slice(0, UNKNOWN_NAME_MAX);
      unknown.set(short, isGiven || (unknown.get(short) ?? false));
    } else if (isGiven) {
      values.set(known, [...(values.get(known) ?? []), value]);
    }
  };
  for (const [name, value] of unwrapped(shape, given)) add(name.replace(ESCAPED, ''), value);
  return { values, unknown };
}

/** Returns the arguments in an object, or JSON in text, that is all that was given: hosts add a layer. */
function unwrapped(shape: object, given: Given): Given {
  const all = [...given];
  const [[name, value] = ['', undefined]] = all;
  if (all.length !== 1 || Object.hasOwn(shape, name)) return all;
  const inner = typeof value === 'string' ? parsedObject(value) : value;
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? Object.entries(inner)
    : all;
}

function parsedObject(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // is text
  }
}

/** The rest of an ampersand that a page or a feed escaped twice. */
const ESCAPED = /^(?:amp;)+/;

/** The innermost name of a nested argument, such as `rating` of `kwargs[rating]`. */
const INNER_NAME = /\[([^[\]]+)\]$/;

/** A name of a list as serializers write it (qs, axios, PHP): `x[]`, `x[0]`. */
const LIST_NAME = /^([^[]+)(?:\[\d*\])+$/;

const REPEATED = Symbol('given several times');

/** Text that programs make of a missing value, in JavaScript and Python. */
const MISSING = /^(?:undefined|null|None)$/;

/** Coercion alone would let `1e2` through. */
const NUMBERS = { whole: /^-?\d+$/, decimal: /^-?\d+(\.\d+)?$/ };

/** The answers of a form, and booleans as languages and models write them. */
const YES = /^(?:true|yes|on|1)$/i;
const NO = /^(?:false|no|off|0)$/i;

/** Returns what values stand for; one that stands for nothing is left to the schema to refuse. */
function readValue(name: string, type: z.ZodType, all: readonly unknown[]): unknown {
  if (isList(name, type)) {
    const items = all.flatMap(listIn).filter((item) => item !== '' && item !== null);
    if (items.length === 0) return undefined;
    if (!(type instanceof z.ZodArray)) return items.join();
    return items.flatMap(separated).map((item) => spelled(type.element as z.ZodEnum, item));
  }
  if (all.length > 1) return REPEATED;
  const [value] = all;
  const isText = type instanceof z.ZodString || type instanceof z.ZodISODate;
  const text = typeof value === 'string' || !isText ? value : String(value);
  if (typeof text !== 'string') return text;
  if (MISSING.test(text) && (name === 'cursor' || !(type instanceof z.ZodString))) return undefined;
  if (type instanceof z.ZodNumber) {
    return NUMBERS[type.isInt ? 'whole' : 'decimal'].test(text) ? Number(text) : text;
  }
  if (type instanceof z.ZodBoolean) return YES.test(text) || (NO.test(text) ? false : text);
  if (type instanceof z.ZodEnum) return spelled(type, text);
  return type instanceof z.ZodISODate ? dayIn(text, name === 'until' ? 'last' : 'first') : text;
}

/** Tells whether several values may be given: of a list, or names that are one text with commas. */
function isList(name: string, type: z.ZodType): boolean {
  return type instanceof z.ZodArray || Object.hasOwn(NAME_FILTERS, name);
}

/** Returns the items of a list that is JSON, or nearly, in text (`['a', 'b']`); any other value itself. */
function listIn(value: unknown): unknown[] {
  const inner = typeof value === 'string' ? /^\s*\[(.*)\]\s*$/s.exec(value)?.[1] : undefined;
  if (inner === undefined) return [value];
  try {
    return JSON.parse(value as string) as unknown[];
  } catch {
    return separated(inner).map((item) => item.replace(/^(['"])(.*)\1$/s, '$2'));
  }
}

function separated<T>(item: T) {
  return typeof item === 'string' ? item.split(/\s*,\s*/) : [item];
}

/** Returns a value of an enumeration in its own spelling, whatever the case. */
function spelled({ options }: z.ZodEnum, value: unknown): unknown {
  return options.find((option) => option === String(value).toLowerCase()) ?? value;
}

/** Returns the types of arguments, by name, whether or not they may be left out. */
const typesOf = keptWith(({ shape }: z.ZodObject) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, given]) => {
      let type = given as z.ZodType;
      while (type instanceof z.ZodOptional || type instanceof z.ZodDefault) {
        type = type.unwrap() as z.ZodType;
      }
      return [name, type];
    }),
  ),
);

/** Rules that types do not tell. */
const RULES: Readonly<Record<string, string>> = {
  cursor: 'must be the next of an earlier response with the same sort',
  group_by: `must be a list of one or two different ones of ${inWords(GROUPS, 'and')}`,
};

/** Returns the issue of an argument whose value the schema refused. */
function argumentIssue(schema: z.ZodObject, name: string): Issue {
  const [message, code = `invalid_${name}`] = refusalOf(schema, name);
  return { path: [name], code, message: `${name} ${message}` };
}

function refusalOf(schema: z.ZodObject, name: string): [message: string, code?: string] {
  const type = typesOf(schema)[name]!;
  const rule = RULES[name];
  if (rule !== undefined) return [rule];
  if (type instanceof z.ZodBoolean) return ['must be true or false'];
  if (type instanceof z.ZodEnum) return [`must be ${inWords(type.options as string[], 'or')}`];
  if (type instanceof z.ZodNumber) {
    const kind = type.isInt ? 'a whole number' : 'a number';
    const upTo = type.maxValue === Number.MAX_SAFE_INTEGER ? '' : ` to ${type.maxValue}`;
    return [`must be ${kind} from ${type.minValue}${upTo}`];
  }
  if (type instanceof z.ZodArray) {
    const { options } = type.element as z.ZodEnum;
    return [`must be a list of different ones of ${inWords(options as string[], 'and')}`];
  }
  if (type instanceof z.ZodISODate) return ['must be a calendar day, YYYY-MM-DD', 'invalid_date'];
  const { maxLength } = type as z.ZodString;
  if (schema.shape[name] instanceof z.ZodOptional) {
    return [`must have at most ${maxLength} characters`, 'too_long'];
  }
  return [`must be text of 1 to ${maxLength} characters`];
}

function unknownIssue(name: string, nearest: string): Issue {
  const message = `${name} is unknown: ${nearest} may be meant`;
  return { path: [name], code: 'unknown_argument', message };
}

function inWords(values: readonly string[], conjunction: string): string {
  return `${values.slice(0, -1).join(', ')} ${conjunction} ${values.at(-1)}`;
}
