import { z } from 'zod';

/** Smaller documents may be as dense as they like. */
const SMALL_BYTES = 100_000;
/** Documents of a site have at least 16 bytes for each value, and at most 10 levels. */
const MIN_BYTES_PER_VALUE = 8;
const MAX_LEVELS = 100;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('"\\,[]{}');

/**
 * Parses JSON from an untrusted source.
 *
 * @throws if it is not JSON, or if its values would take much more memory than its bytes
 */
export function parseUntrusted(bytes: Uint8Array): unknown {
  let values = 1;
  let level = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += Number(byte === BACKSLASH);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++level > MAX_LEVELS) throw new Error(`has more than ${MAX_LEVELS} levels`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
  }
  if (bytes.length > SMALL_BYTES && bytes.length < values * MIN_BYTES_PER_VALUE) {
    throw new Error(`has ${values} values in ${bytes.length} bytes`);
  }
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    throw new Error('is not JSON', { cause });
  }
}

/**
 * Returns the first issue of a document from an untrusted source. Collecting all issues of one that is wrong
 * everywhere would take much more memory than its bytes.
 */
export function firstIssue(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; message: string } | undefined {
  const inner = value == null ? schema : unwrapped(schema);
  let isLeaf = true;
  for (const [key, own, part] of partsOf(inner, value)) {
    isLeaf = false;
    const issue = firstIssue(own, part, [...path, key]);
    if (issue) return issue;
  }
  const issue = isLeaf && z.safeParse(inner, value).error?.issues[0];
  return issue ? { path: [...path, ...issue.path], message: issue.message } : undefined;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapped ? unwrapped(schema.def.innerType) : schema;
}

/** Lists the items of a list, and the members that an object has or should have. */
function* partsOf(
  schema: z.core.$ZodType,
  value: unknown,
): Generator<[PropertyKey, z.core.$ZodType, unknown]> {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield [at, schema.element, item];
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const members = value as Record<string, unknown>;
  if (schema instanceof z.ZodRecord) {
    for (const [name, each] of Object.entries(members)) yield [name, schema.valueType, each];
  } else if (schema instanceof z.ZodObject) {
    const { shape } = schema;
    for (const name of Object.keys(shape)) yield [name, shape[name], members[name]];
    for (const name of Object.keys(members)) {
      if (!Object.hasOwn(shape, name))
        yield [name, schema.def.catchall ?? z.unknown(), members[name]];
    }
  }
}
