import { boundOf } from './bounds.ts';
import { chooseParts } from './choose-parts.ts';
import { withIncluded } from './json-api.ts';
import { parseDocuments, unpacked } from './json-documents.ts';
import type { Rank } from './rank.ts';
import { joinedRows, toldBy } from './outer-names.ts';
import { columnsOf, flatten, isJsonObject, membersIn, type NumberedRow, type Row } from './rows.ts';

/**
 * Finds the reviews in a JSON document, or in one document per line, however deep they are.
 *
 * @returns them with numbers and texts of the objects around them: totals, tokens, names
 * @throws in one line, with the place
 */
export function readJsonRows(name: string, text: string, rank: Rank) {
  const { documents, notes } = parseDocuments(name, text);
  const kind = documents.length > 1 ? ('JSONL' as const) : ('JSON' as const);
  const finder = new ListFinder(name);
  for (const { number, value } of documents) finder.visit(value, number);
  const lists = [...finder.lists].map(([path, { head, rows }]) => {
    boundOf('columns', columnsOf(rows.map(({ row }) => row)).length, name);
    return { what: `the list ${path}`, path, head, rows };
  });
  const { chosen, unread } = chooseParts(lists, rank, false);
  const keys = chosen.map(({ path }) => path.split('.'));
  const differing = keys[0]!.findIndex((key, at) => keys.some((other) => other[at] !== key));
  const named = chosen.map((list, at) => ({ ...list, name: keys[at]![differing] ?? '' }));
  const rows = joinedRows(named).flat();
  return {
    kind,
    head: chosen[0]!.head,
    rows: kind === 'JSONL' ? rows : rows.map(({ row }, index) => ({ number: index + 1, row })),
    notes,
    unread,
  };
}

type Json = Readonly<Record<string, unknown>>;
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
    around: Row = {},
  ): void {
    boundOf('depth', depth, this.#name);
    let list = this.lists.get(path);
    // The lists inside its objects see their values, too.
    list ??= { rows: [], head, inner: Object.create(head) as Head };
    this.lists.set(path, list);
    boundOf('lists', this.lists.size, this.#name);
    for (const item of items) {
      if (Array.isArray(item)) {
        this.#visitList(item, path, head, number, depth + 1, around);
        continue;
      }
      const within = objectsById(item);
      if (within) {
        this.#visitList(within, `${path}#`, head, number, depth + 1, around);
        continue;
      }
      if (isJsonObject(item)) this.#visitObject(item, path, list.inner, number, depth + 1);
      const row = isJsonObject(item) ? flatten(item) : {};
      list.rows.push({ number, row: { ...row, ...around } });
      boundOf('rows', list.rows.length, this.#name);
    }
  }

  #visitObject(given: Json, path: string, head: Head, number: number, depth: number): void {
    boundOf('depth', depth, this.#name);
    const object = withIncluded(given);
    const names = Object.keys(object);
    boundOf('columns', names.length, this.#name);
    for (const name of names) {
      const value = unpacked(object[name]);
      if (typeof value !== 'object' || value === null) {
        head[name] = value;
        continue;
      }
      // `2023` and `2024`, or `page1` and `page2`, are of one kind.
      const kind = name.replaceAll(/\d+/g, '#');
      const inner = path === '' ? kind : `${path}.${kind}`;
      if (Array.isArray(value)) {
        if (!membersIn(value) && value.some((item) => typeof item === 'object')) {
          this.#visitList(value, inner, head, number, depth + 1, toldBy(object));
        }
        continue;
      }
      const rows = objectsById(value);
      if (rows) this.#visitList(rows, inner, head, number, depth + 1, toldBy(object));
      else this.#visitObject(value as Json, inner, head, number, depth + 1);
    }
  }
}

/** Returns the objects of an object that is another form of a list: alike, by their ids, or columns of numbered cells. */
function objectsById(object: unknown): Json[] | undefined {
  if (!isJsonObject(object)) return undefined;
  const values = Object.values(object);
  const [first, ...others] = values;
  if (!isJsonObject(first) || others.length === 0 || !values.every(isJsonObject)) return undefined;
  const keys = Object.keys(first);
  const areAlike = values.every((value) => {
    return keys.filter((key) => Object.hasOwn(value, key)).length * 2 > keys.length;
  });
  if (areAlike && keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) {
    const columns = Object.entries(object as Record<string, Json>);
    return keys.map((key) =>
      Object.fromEntries(columns.map(([name, cells]) => [name, cells[key]])),
    );
  }
  if (!areAlike || keys.length < 2) return undefined;
  return Object.entries(object as Record<string, Json>).map(([key, value]) => ({ key, ...value }));
}
