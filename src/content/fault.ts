import { escapeInvisible } from '../schema/invisible.ts';
import type { z } from 'zod';

/** One thing wrong in content/, with the place a person can jump to. */
export interface Fault {
  /** Path as shown, e.g. `content/reviews/2026.jsonl`. */
  file: string;
  /** From 1; 0 when the fault is the file itself. */
  line: number;
  /** Dotted path inside the record, e.g. `owner_reply.date`; empty for the whole record. */
  field: string;
  reason: string;
  /** The value at fault; left out when there is none to show. */
  value?: unknown;
}

/** Thrown once per read, with every fault that was found. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(
      `content/ has ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}:\n` +
        faults.map(formatFault).join('\n'),
    );
    this.faults = faults;
    this.stack = ''; // the faults are the operator's, so a trace of this program would only hide them
  }
}

const VALUE_MAX_LENGTH = 60;

/** `file:line: field: reason (was value)`, with control characters escaped */
export function formatFault(fault: Fault): string {
  const place = fault.line > 0 ? `${fault.file}:${fault.line}` : fault.file;
  const field = fault.field === '' ? '' : ` ${fault.field}:`;
  return escapeInvisible(`${place}:${field} ${fault.reason}${formatValue(fault.value)}`);
}

function formatValue(value: unknown): string {
  if (value === undefined) return '';
  const json = JSON.stringify(value);
  const shown =
    json.length > VALUE_MAX_LENGTH ? `${json.slice(0, VALUE_MAX_LENGTH).toWellFormed()}…` : json;
  return ` (was ${shown})`;
}

const NOUNS: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** Says in a writer's words what zod says in a programmer's; a schema's own message wins. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is missing'
      : `must be ${NOUNS[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return undefined;
};

/** A fault without its file; the reader that knows the place adds it. */
export interface FaultIn {
  path: readonly PropertyKey[];
  reason: string;
  value?: unknown;
}

/** Splits a zod error into faults, one for each unknown field too. */
export function faultsIn(error: z.ZodError, input: unknown): FaultIn[] {
  return error.issues.flatMap((issue): FaultIn[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
        reason: 'is not a known field',
      }));
    }
    const value = valueAt(input, issue.path);
    return [{ path: issue.path, reason: issue.message, ...(value !== undefined && { value }) }];
  });
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );
}
