import { fromHtml, isHtmlColumn } from './html.ts';
import type { NumberedRow, Row } from './rows.ts';

/** Values that programs write for nothing, as they spell them. */
const FILLERS = new Set(
  [
    'NULL null (null) nil undefined None NONE none nan NaN NAN -nan NaT <NA> N/A n/a NA #N/A #NA',
    '#NULL! #REF! #VALUE! #NAME? #DIV/0! #NV #NUM! \\N - -- --- – — [null] "" \'\' [] {}',
  ].flatMap((line) => line.split(' ')),
);
/** Sentences that platforms write where one of two texts is missing. */
const NO_TEXT =
  /^(?:no (?:positive|negative|review|text|reply|response|title|content)|keine antwort|pas de réponse|sin respuesta|nessuna risposta|sem resposta|geen reactie)$/i;

/**
 * Returns rows as a person would have typed them: without values that stand for nothing, and without
 * the HTML of a column whose texts are a page's. Every cell is read like this, whatever format the
 * rows are in.
 *
 * @returns with them sentences for the owner
 */
export function cleanRows(rows: readonly NumberedRow[]): { rows: NumberedRow[]; notes: string[] } {
  const texts = new Map<string, string[]>();
  let fillers = 0;
  const filled = mapRows(rows, (value, column) => {
    const text = value.trim();
    if (!FILLERS.has(text) && !NO_TEXT.test(text)) {
      const all = texts.get(column);
      if (all) all.push(text);
      else texts.set(column, [text]);
      return value;
    }
    fillers++;
    return '';
  });
  const pages = new Map(
    [...texts].flatMap(([column, all]) => {
      if (!isHtmlColumn(all)) return [];
      // Some tools escape what was escaped.
      const isTwice = isHtmlColumn(all.map(fromHtml));
      return [[column, isTwice ? (text: string) => fromHtml(fromHtml(text)) : fromHtml]];
    }),
  );
  const notes = fillers === 0 ? [] : [`cells such as NULL or N/A, read as empty: ${fillers}`];
  if (pages.size === 0) return { rows: filled, notes };
  notes.push(`HTML, read as the text that a page shows: ${[...pages.keys()].join(', ')}`);
  const plain = mapRows(filled, (value, column) => pages.get(column)?.(value) ?? value);
  return { rows: plain, notes };
}

function mapRows(
  rows: readonly NumberedRow[],
  change: (text: string, column: string) => string,
): NumberedRow[] {
  return rows.map((row) => ({ ...row, row: mapTexts(row.row, change) }));
}

/** Returns a row with other texts in the place of its own, however deep they are. */
function mapTexts(row: Row, change: (text: string, path: string) => string, at = ''): Row {
  const changed = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return change(value, path);
    if (Array.isArray(value)) return value.map((item) => changed(item, path));
    return typeof value === 'object' && value !== null
      ? mapTexts(value as Row, change, path)
      : value;
  };
  const entries = Object.entries(row).map(([key, value]) => {
    const path = at === '' ? key : `${at}.${key}`;
    return [key, changed(value, path)];
  });
  return Object.fromEntries(entries) as Row;
}
