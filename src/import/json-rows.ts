import type { NumberedRow, Row } from './draft.ts';
import { JsonElements } from './json-elements.ts';

/** Keys of arrays of reviews in the answers of APIs and in exports. */
const LISTS = new Set(['', 'reviews', 'data', 'items', 'results', 'ratings']);

/** Tells from its start that a file has one JSON document per line. */
export function isJsonLines(start: string): boolean {
  const [first, ...rest] = start.trim().split(/\r?\n/);
  if (!first!.startsWith('{')) return false;
  let value: Row;
  try {
    value = JSON.parse(first!) as Row;
  } catch {
    return false;
  }
  return rest.length > 0 || nestedLists(value).length === 0;
}

export async function* jsonRows(
  name: string,
  chunks: AsyncIterable<string>,
  head: Record<string, unknown>,
): AsyncGenerator<NumberedRow> {
  const elements = new JsonElements();
  let number = 0;
  try {
    for await (const chunk of chunks) {
      for (const { path, json } of elements.push(chunk)) {
        if (!LISTS.has(path.split('.').at(-1)!)) continue;
        for (const row of flatten(JSON.parse(json) as Row, head)) yield { number: ++number, row };
      }
    }
    elements.end();
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error as Error).message.startsWith('broken JSON'))
      throw error;
    throw new Error(`${name}: after review ${number}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  Object.assign(head, elements.head);
}

export async function* jsonLinesRows(
  name: string,
  chunks: AsyncIterable<string>,
  head: Record<string, unknown>,
): AsyncGenerator<NumberedRow> {
  let number = 0;
  for await (const line of linesOf(chunks)) {
    number++;
    if (line.trim() === '') continue;
    try {
      for (const row of flatten(JSON.parse(line) as Row, head)) yield { number, row };
    } catch (error) {
      throw new Error(`${name}:${number}: broken JSON: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** Cuts a text into lines while it streams. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Takes the reviews out of a page of an API, or out of a place that a crawler found. */
function flatten(row: Row, head: Record<string, unknown>): Row[] {
  const lists = nestedLists(row);
  if (lists.length === 0) return [row];
  for (const [key, value] of Object.entries(row)) {
    if (typeof value === 'string' || typeof value === 'number') head[key] = value;
  }
  return lists.flat();
}

function nestedLists(row: Row): Row[][] {
  return Object.entries(row).flatMap(([key, value]) =>
    LISTS.has(key) && Array.isArray(value) && value.every((each) => typeof each === 'object')
      ? [value as Row[]]
      : [],
  );
}
