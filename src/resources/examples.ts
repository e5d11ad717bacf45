import { keptWith } from '../base/kept.ts';
import type { Example, Operation } from './operation.ts';
import { instancesOf, type DocumentResource, type Instance } from './resource.ts';
import type { Source } from './source.ts';

/** Number of lines that are shown of a text: enough for an entry of a feed. */
const LINES = 26;

/** Returns requests for an operation. The answers come from the same code as real ones. */
export function examplesOf(operation: Operation | DocumentResource, source: Source): Example[] {
  return examplesIn(source)(operation);
}

const examplesIn = keptWith((source: Source) =>
  keptWith((operation: Operation | DocumentResource): Example[] => {
    const own = operation.examples?.(source) ?? [];
    if (!('example' in operation)) return own;
    const [first] = instancesOf(operation, source, []);
    return first ? [documentExample(first, source, operation.example!), ...own] : own;
  }),
);

function documentExample({ path, build }: Instance, source: Source, says: string): Example {
  const text = Buffer.from(build(source)).toString();
  if (path.endsWith('.json')) return jsonExample(source, path, JSON.parse(text), says);
  return { says, command: `curl -s '${source.baseUrl}${path}'`, answer: excerpt(text, LINES) };
}

export interface BodyExample {
  summary: string;
  /** Absent for the body of a request. */
  status?: number;
  value: unknown;
}

/** Returns the bodies of the examples of an operation, shortened, for the OpenAPI document. */
export function bodyExamples(operation: Operation, source: Source): BodyExample[] {
  return examplesOf(operation, source).flatMap(({ says: summary, request, response }) => [
    ...(request === undefined ? [] : [{ summary, value: request }]),
    ...(response ? [{ summary, status: response.status, value: response.body }] : []),
  ]);
}

/** Returns a request for a path that is answered with JSON. */
export function jsonExample(
  { baseUrl }: Pick<Source, 'baseUrl'>,
  path: string,
  body: unknown,
  says: string,
  status = 200,
): Example {
  return {
    says,
    command: `curl -s '${baseUrl}${path}'`,
    answer: layOut(abridge(body)),
    response: { status, body: shorten(body) },
  };
}

/** Longer texts are cut on pages. */
const TEXT_LENGTH = 160;
/** Longer than any address, so that only text and tables are cut. */
const LONG_TEXT = 1_000;
const ENTRIES = 12;
/** More than any document has: larger objects are word lists. */
const MAX_FIELDS = 40;

/** Shortens a JSON value for a page; omitted parts are replaced by `"… 396 more"`. */
export function abridge(value: unknown): unknown {
  return shorten(value, TEXT_LENGTH, true);
}

/** Shortens a JSON value. Without marks it has every field and still matches its schema. */
export function shorten(value: unknown, textLength = LONG_TEXT, isMarked = false): unknown {
  const inside = (part: unknown) => shorten(part, textLength, isMarked);
  const mark = (left: number) => (isMarked && left > 0 ? [`… ${left} more`] : []);
  if (typeof value === 'string') {
    return value.length > textLength ? `${value.slice(0, textLength).toWellFormed()}…` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shown = beginningOf(value);
    return [...shown.map(inside), ...mark(value.length - shown.length)];
  }
  const entries = Object.entries(value);
  const shown = firstEntries(entries);
  return Object.fromEntries([
    ...shown.map(([key, entry]) => [key, inside(entry)]),
    ...mark(entries.length - shown.length).map((left) => ['…', left]),
  ]);
}

/** Returns one record of a map, three words of a word list, and every field of anything else. */
function firstEntries(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length > ENTRIES && isMap(entries)) return entries.slice(0, 1);
  return entries.length > MAX_FIELDS ? entries.slice(0, 3) : entries;
}

type Entry = readonly [string, unknown];

/** Returns the first element of a list, some of a list of words, all of a tuple with numbers. */
function beginningOf(list: readonly unknown[]): readonly unknown[] {
  if (list.some((element) => typeof element === 'number')) return list;
  return list.slice(0, typeof list[0] === 'object' ? 1 : 3);
}

/** Formats JSON for reading: values that fit on one line get one line. */
export function layOut(value: unknown, indent = '', taken = 0): string {
  const flat = flatten(value);
  const isPlain = typeof value !== 'object' || value === null;
  if (isPlain || indent.length + taken + flat.length <= LINE_LENGTH) return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((entry) => inner + layOut(entry, inner))
    : Object.entries(value).map(([key, entry]) => {
        const name = `${JSON.stringify(key)}: `;
        return inner + name + layOut(entry, inner, name.length);
      });
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

const LINE_LENGTH = 76;

function flatten(value: unknown): string {
  const lines = JSON.stringify(value, null, 1);
  return lines.replaceAll(/(?<=\[)\n *|\n *(?=\])/g, '').replaceAll(/\n */g, ' ');
}

/** Returns the first lines of a text, ending in `…` if there are more. */
export function excerpt(text: string, lines: number): string {
  const all = text.trimEnd().split('\n');
  return all.length > lines ? [...all.slice(0, lines), '…'].join('\n') : all.join('\n');
}

/** Tells if an object is a map of records by id, as in `per_review`: all values have the same shape. */
function isMap(entries: readonly Entry[]): boolean {
  const shapes = entries.map(([, entry]) =>
    typeof entry === 'object' && entry !== null ? Object.keys(entry).join() : undefined,
  );
  return shapes[0] !== undefined && shapes.every((shape) => shape === shapes[0]);
}
