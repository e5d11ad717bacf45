import { escapeInvisible } from '../schema/invisible.ts';
import type { z } from 'zod';

/** One problem in content/, with its place. */
export interface ContentIssue {
  /** Path as shown, e.g. `content/reviews/2026.jsonl`. */
  file: string;
  /** From 1; 0 when the issue is the file itself. */
  line: number;
  /** Dotted path inside the record, e.g. `owner_reply.date`; empty for the record itself. */
  field: string;
  reason: string;
  /** The bad value; left out when there is nothing to show. */
  value?: unknown;
}

/** Thrown once per read, with every issue that was found. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly issues: readonly ContentIssue[];

  constructor(issues: readonly ContentIssue[]) {
    const lines = issues.map(formatIssue);
    super(
      lines.length === 1 ? lines[0] : `content/ has ${lines.length} issues:\n${lines.join('\n')}`,
    );
    this.issues = issues;
    this.stack = ''; // the issues are the operator's, so a trace of this program would only hide them
  }
}

const VALUE_MAX_LENGTH = 60;

/** Formats an issue as `file:line: field: reason (was value)`, with control characters escaped. */
export function formatIssue(issue: ContentIssue): string {
  const place = issue.line > 0 ? `${issue.file}:${issue.line}` : issue.file;
  const field = issue.field === '' ? '' : ` ${issue.field}:`;
  return escapeInvisible(`${place}:${field} ${issue.reason}${formatValue(issue.value)}`);
}

function formatValue(value: unknown): string {
  if (value === undefined) return '';
  const json = jsonOf(value);
  const shown =
    json.length > VALUE_MAX_LENGTH ? `${json.slice(0, VALUE_MAX_LENGTH).toWellFormed()}…` : json;
  return ` (was ${shown})`;
}

/** A value that is nested too deeply to be written is not shown. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
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

/** Words zod's messages for people who write data; a schema's own message wins. */
const friendlyMessage: z.core.$ZodErrorMap = (issue) => {
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

/** An issue without its file; the reader that knows the place adds it. */
export interface IssueIn {
  path: readonly PropertyKey[];
  reason: string;
  value?: unknown;
}

/** Returns a value as a schema reads it, or its issues, one for each unknown field too. */
export function check<T>(
  schema: z.ZodType<T>,
  input: unknown,
): { value: T; issues?: never } | { value?: never; issues: IssueIn[] } {
  const { data, error } = schema.safeParse(input, { error: friendlyMessage, reportInput: true });
  if (!error) return { value: data };
  const issues = error.issues.flatMap((issue): IssueIn[] => {
    const { path, message: reason, input: value } = issue;
    if (issue.code !== 'unrecognized_keys') {
      return [{ path, reason, ...(value !== undefined && { value }) }];
    }
    return issue.keys.map((key) => ({ path: [...path, key], reason: 'is not a known field' }));
  });
  return { issues };
}

export function unknownIds(
  entries: readonly { id: string }[],
  named: readonly (readonly [path: readonly PropertyKey[], id: string])[],
  what = 'entry of the vocabulary',
): IssueIn[] {
  const known = new Set(entries.map(({ id }) => id));
  return named
    .filter(([, id]) => !known.has(id))
    .map(([path, value]) => ({ path, reason: `no ${what} has this id`, value }));
}
