import type { z } from 'zod';
import { friendlyMessage, issuesIn, type ContentIssue } from './issue.ts';
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
    const line = Number(/\(line (\d+) column \d+\)/.exec(message)?.[1] ?? endLine(text));
    return { issues: [{ file, line, field: '', reason: `broken JSON: ${message}` }] };
  }
  const issues = duplicateKeys(text).map(({ path, offset }) => {
    const line = text.slice(0, offset).split('\n').length;
    return { file, line, field: path.join('.'), reason: TWICE };
  });
  const parsed = schema.safeParse(input, { error: friendlyMessage });
  if (!parsed.success)
    issues.push(...new Positions(text).locate(issuesIn(parsed.error, input), file));
  return parsed.success && issues.length === 0 ? { value: parsed.data, issues } : { issues };
}

const TWICE = 'is there twice';

function endLine(text: string): number {
  return text.trimEnd().split('\n').length;
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
      issues.push({ file, line, field: '', reason: `broken JSON: ${(error as Error).message}` });
      continue;
    }
    for (const { path } of duplicateKeys(source)) {
      issues.push({ file, line, field: path.join('.'), reason: TWICE });
    }
    const parsed = schema.safeParse(input, { error: friendlyMessage });
    if (parsed.success) lines.push({ line, text: source.trimEnd(), value: parsed.data });
    else {
      for (const { path, ...issue } of issuesIn(parsed.error, input)) {
        issues.push({ file, line, field: path.join('.'), ...issue });
      }
    }
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
  const parsed = schema.safeParse(input, { error: friendlyMessage });
  const body = text.slice(match[0].length).trim();
  const issues = parsed.success ? [] : positions.locate(issuesIn(parsed.error, input), file);
  if (body === '')
    issues.push({ file, line: 0, field: '', reason: 'has no text below the front matter' });
  return parsed.success && issues.length === 0
    ? { value: { head: parsed.data, body, positions }, issues }
    : { issues };
}

/** A key that an object of a JSON document has twice. */
interface DuplicateKey {
  path: (string | number)[];
  /** Offset of the second one. */
  offset: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Frame {
  /** Keys so far; undefined in a list. */
  keys: Set<string> | undefined;
  /** The key or index being read. */
  at: string | number;
}

/** Finds keys that are there twice in valid JSON; JSON.parse keeps the last without a word. */
function duplicateKeys(json: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const stack: Frame[] = [];
  let last = { text: '', offset: 0 };
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const top = stack.at(-1);
    if (token === '{') stack.push({ keys: new Set(), at: '' });
    else if (token === '[') stack.push({ keys: undefined, at: 0 });
    else if (token === '}' || token === ']') stack.pop();
    else if (token === ',' && top?.keys === undefined && top) top.at = Number(top.at) + 1;
    else if (token === ':' && top?.keys) {
      top.at = JSON.parse(last.text) as string;
      if (top.keys.has(top.at)) {
        found.push({ path: stack.map(({ at }) => at), offset: last.offset });
      }
      top.keys.add(top.at);
    }
    last = { text: token, offset: index };
  }
  return found;
}
