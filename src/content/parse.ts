import type { z } from 'zod';
import { check, type ContentIssue } from './issue.ts';
import { Positions } from './positions.ts';

/** Parses one JSON document. Every issue has the line of its field. */
export function parseJsonFile<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { value?: T; issues: ContentIssue[] } {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const line = Number(
      /\(line (\d+) column \d+\)/.exec(message)?.[1] ?? text.trimEnd().split('\n').length,
    );
    return { issues: [{ file, line, field: '', reason: `broken JSON: ${message}` }] };
  }
  const positions = new Positions(text);
  const checked = check(schema, input);
  const issues = positions.keysTwice().map((twice) => ({ file, ...twice }));
  issues.push(...positions.locate(checked.issues ?? [], file));
  return issues.length > 0 ? { issues } : { value: checked.value!, issues };
}

export interface Line<T> {
  /** From 1. */
  line: number;
  /** The line as it is written. */
  text: string;
  value: T;
}

/** Parses one JSON object per line (https://jsonlines.org), skipping blank lines. */
export function parseJsonLines<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { lines: Line<T>[]; issues: ContentIssue[] } {
  const lines: Line<T>[] = [];
  const issues: ContentIssue[] = [];
  let line = 0;
  for (const source of text.split('\n')) {
    line++;
    if (source.trim() === '') continue;
    let input: unknown;
    try {
      input = JSON.parse(source);
    } catch (error) {
      const message = (error as Error).message.replace(
        / at position .*column (\d+)\)/,
        ' at column $1',
      );
      const reason = `broken JSON: ${message}; each line must be one whole object`;
      issues.push({ file, line, field: '', reason });
      continue;
    }
    const checked = check(schema, input);
    const twice =
      checked.value && mayLackKeys(source, input) ? new Positions(source).keysTwice() : [];
    issues.push(...twice.map((issue) => ({ file, ...issue, line })));
    for (const { path, ...issue } of checked.issues ?? []) {
      issues.push({ file, line, field: path.join('.'), ...issue });
    }
    if (checked.value) lines.push({ line, text: source.trimEnd(), value: checked.value });
  }
  return { lines, issues };
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Parses Markdown under a YAML head. `body` is trimmed and never empty. */
export function parseFrontMatter<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { value?: { head: T; body: string; positions: Positions }; issues: ContentIssue[] } {
  const match = FRONT_MATTER.exec(text);
  if (!match) {
    const reason = 'must begin with front matter between two lines of ---';
    return { issues: [{ file, line: 1, field: '', reason }] };
  }
  const positions = new Positions(match[1]!, 1);
  const broken = positions.document.errors.map((error) => ({
    file,
    line: positions.lineAt(error.pos[0]),
    field: '',
    reason: `broken YAML: ${error.message}`,
  }));
  if (broken.length > 0) return { issues: broken };

  let input: unknown;
  try {
    input = positions.document.toJS();
  } catch (error) {
    // Aliases of aliases that would fill the memory.
    const reason = `cannot be read: ${(error as Error).message}`;
    return { issues: [{ file, line: 1, field: '', reason }] };
  }
  const checked = check(schema, input);
  const body = text.slice(match[0].length).trim();
  const issues = positions.locate(checked.issues ?? [], file);
  if (body === '')
    issues.push({ file, line: 0, field: '', reason: 'has no text below the front matter' });
  return issues.length > 0
    ? { issues }
    : { value: { head: checked.value!, body, positions }, issues };
}

/** Tells whether a value may lack a key of its JSON: of two equal keys, JSON.parse keeps the last. */
function mayLackKeys(json: string, value: unknown): boolean {
  return countKeys(json) !== countKeys(JSON.stringify(value));
}

/** Counts what looks like the end of a key, also in texts. */
function countKeys(json: string): number {
  return json.split('":').length;
}
