import { readXml } from 'hucre/xml';
import { fromHtml } from './html.ts';
import { isJsonObject } from './rows.ts';

/** Reads the cells of the tables of a page; many shops and platforms call such a page an Excel file. */
export function linesOfPage(html: string): { lines: string[][]; notes: string[] } {
  const rows = html.split(/<tr\b[^<>]*>/i).slice(1);
  const lines = rows.map((row) => {
    const cells = row.split(/<t[dh]\b[^<>]*>/i).slice(1);
    return cells.map((cell) => fromHtml(cell.split(/<\/t[dhr]\b/i)[0]!).trim());
  });
  return { lines, notes: ['it is a web page, whose table was read'] };
}

/** Returns an XML document as JSON: elements of one name beside each other are a list. @throws if it is broken */
export function jsonOfXml(name: string, xml: string): string {
  const plain = xml
    .replaceAll(/<[?!](?!\[CDATA\[)[^<>]*>/g, '')
    .replaceAll(/(<\/?)[\w.-]+:/g, '$1');
  const end = `</${/<([^\s<>/]+)/.exec(plain)?.[1]}>`;
  try {
    if (!plain.trimEnd().endsWith(end)) throw new Error(`it does not end with ${end}`);
    // The reader keeps what is inside of a child of a row as it is.
    const { data } = readXml(`<file><row>${plain}</row></file>`, { rowTag: 'row', flatten: false });
    const documents = Object.values(data[0] ?? {}).map(String);
    return JSON.stringify(documents.map((each) => JSON.parse(each, withAttributes) as unknown));
  } catch (error) {
    const words = `broken XML: ${(error as Error).message}: export it again, or ask for JSON or CSV`;
    throw new Error(`${name}: ${words}`, { cause: error });
  }
}

/** Puts the attributes of an element with text beside it: `overall` and `overall max`. */
function withAttributes(_: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (!isJsonObject(inner) || !('#text' in inner)) return [[name, inner]];
    const { '#text': text, ...attributes } = inner;
    const beside = Object.entries(attributes).map(([key, each]) => [
      `${name} ${key.slice(1)}`,
      each,
    ]);
    return [[name, text], ...(beside as [string, unknown][])];
  });
  return Object.fromEntries(members);
}
