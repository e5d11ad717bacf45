import { boundOf } from './bounds.ts';
import { isRow, type NumberedRow, type Row } from './rows.ts';

/** Tells how much rows look like reviews: of several lists the one that does most is read. */
export type Rank = (rows: readonly Row[]) => number;

/**
 * Finds the reviews in a JSON document, or in one document per line, however deep they are.
 *
 * @returns them with numbers and texts of the objects around them: totals, tokens, names
 * @throws in one line, with the place
 */
export function readJsonRows(name: string, text: string, rank: Rank) {
  const documents = parseDocuments(name, text);
  const kind = documents.length > 1 ? ('JSONL' as const) : ('JSON' as const);
  const finder = new ListFinder(name);
  for (const { number, value } of documents) finder.visit(value, number);
  const lists = [...finder.lists.values()].map(({ head, rows }) => ({
    head,
    rows,
    rank: rank(rows.map(({ row }) => row)),
  }));
  const most = Math.max(...lists.map((list) => list.rank));
  const [best, ...others] = lists
    .filter((list) => list.rank === most)
    .sort((a, b) => b.rows.length - a.rows.length);
  // Of lists that were recognized none is left out.
  const chosen = most >= RECOGNIZED ? [best!, ...others] : [best!];
  const rows = chosen.flatMap((list) => list.rows);
  return {
    kind,
    head: best!.head,
    rows: kind === 'JSONL' ? rows : rows.map(({ row }, index) => ({ number: index + 1, row })),
  };
}

/** The rank of rows in a known format. */
export const RECOGNIZED = 2;

function parseDocuments(name: string, text: string): { number: number; value: unknown }[] {
  try {
    return [{ number: 1, value: JSON.parse(text) }];
  } catch (error) {
    const end = text.indexOf('\n');
    if (end === -1 || parsed(text.slice(0, end)) instanceof Error) {
      throw new Error(`${name}: broken JSON: ${(error as Error).message}`, { cause: error });
    }
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsed(line);
    if (!(value instanceof Error)) return [{ number: index + 1, value }];
    throw new Error(`${name}:${index + 1}: broken JSON: ${value.message}`, { cause: value });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

type Head = Record<string, unknown>;

/** Collects the lists of objects in documents by their path, in which all of one kind are together. */
class ListFinder {
  readonly lists = new Map<string, { rows: NumberedRow[]; head: Head; inner: Head }>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** @param number the line of the document */
  visit(document: unknown, number: number): void {
    const items = Array.isArray(document) ? document : [document];
    this.#visitList(items, '', Object.create(null) as Head, number, 1);
  }

  /** @param head takes the values of the objects that the list lies in */
  #visitList(
    items: readonly unknown[],
    path: string,
    head: Head,
    number: number,
    depth: number,
  ): void {
    boundOf('depth', depth, this.#name);
    let list = this.lists.get(path);
    // The lists inside its objects see their values, too.
    list ??= { rows: [], head, inner: Object.create(head) as Head };
    this.lists.set(path, list);
    for (const item of items) {
      if (Array.isArray(item)) {
        this.#visitList(item, path, head, number, depth + 1);
        continue;
      }
      list.rows.push({ number, row: isRow(item) ? item : {} });
      boundOf('rows', list.rows.length, this.#name);
      if (isRow(item)) this.#visitObject(item, path, list.inner, number, depth + 1);
    }
  }

  #visitObject(object: Row, path: string, head: Head, number: number, depth: number): void {
    boundOf('depth', depth, this.#name);
    const names = Object.keys(object);
    boundOf('columns', names.length, this.#name);
    for (const name of names) {
      const value = object[name];
      const inner = path === '' ? name : `${path}.${name}`;
      if (Array.isArray(value)) {
        // The longer of two lists has the reviews of the other, too.
        const extended = object[`${name}_extended`];
        const isTwice = Array.isArray(extended) && extended.length > 0;
        if (!isTwice && value.some((item) => typeof item === 'object')) {
          this.#visitList(value, inner, head, number, depth + 1);
        }
      } else if (isRow(value)) this.#visitObject(value, inner, head, number, depth + 1);
      else head[name] = value;
    }
  }
}
