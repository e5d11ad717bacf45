import { fromHtml, isHtmlColumn } from './html.ts';
import { mojibakeRepair } from './letters.ts';
import { columnsOf, valuesAt, type NumberedRow } from './rows.ts';

/** Values that programs write for nothing, as they spell them. */
const FILLERS = new Set(
  [
    'NULL null (null) nil undefined None NONE none nan NaN NAN -nan NaT <NA> N/A n/a NA #N/A #NA',
    '#NULL! #REF! #VALUE! #NAME? #DIV/0! #NV #NUM! \\N - -- --- – — [null] "" \'\' [] {}',
  ].flatMap((line) => line.split(' ')),
);
/** Words and sentences that programs write where one of two texts is missing. */
const NO_TEXT =
  /^(?:no (?:positive|negative|review|text|reply|response|title|content)|keine antwort|keine angaben?|pas de réponse|sin respuesta|nessuna risposta|sem resposta|geen reactie|[kn]\.? ?a\.|[([](?:leer|empty|blank|vide|vac[ií]o|vuoto|vazio|leeg|deleted|removed|gelöscht|no name|no text)[)\]]|(?:there (?:is|are) no|keine?) (?:comments?|kommentare?|text|reviews?)(?: \p{L}+)?(?: (?:available|given|abgegeben|vorhanden)[^.]{0,30}| for this review)\.?|kein kommentar abgegeben|(?:此|该)?用[户戶](?:未|没有|沒有)填[写寫]评价(?:内容)?。?|買家?未填寫評價)$/iu;
/** Line breaks as databases write them in one line. */
const ESCAPED = /(?<=[^\s\\])\\[nrt](?=\S)|\\"/;

/**
 * Returns rows as a person would have typed them: without values that stand for nothing, without the HTML
 * of a column whose texts are a page's, and with the letters that Latin-1 made of UTF-8. Every cell is read
 * like this, whatever format the rows are in.
 *
 * @returns with them sentences for the owner
 */
export function cleanRows(rows: readonly NumberedRow[]): { rows: NumberedRow[]; notes: string[] } {
  let fillers = 0;
  const filled = mapRows(rows, (value) => {
    const text = value.trim();
    if (!FILLERS.has(text) && !NO_TEXT.test(text)) return value;
    fillers++;
    return '';
  });
  const given = filled.map(({ row }) => row);
  const texts = new Map(columnsOf(given).map((column) => [column, valuesAt(given, column)]));
  const changes = new Map([...texts].map(([column, all]) => [column, changesOf(all)]));
  const pages = [...texts.keys()].filter((column) => changes.get(column)!.includes(fromHtml));
  const notes = fillers === 0 ? [] : [`cells such as NULL or N/A, read as empty: ${fillers}`];
  if (pages.length > 0) {
    notes.push(`HTML, read as the text that a page shows: ${pages.join(', ')}`);
  }
  const repair = mojibakeRepair([...texts.values()].flat());
  if (!repair && [...changes.values()].every(({ length }) => length === 0)) {
    return { rows: filled, notes };
  }
  let repaired = 0;
  const plain = mapRows(filled, (value, column) => {
    const right = repair?.(value) ?? value;
    repaired += Number(right !== value);
    return changes.get(column)!.reduce((text, change) => change(text), right);
  });
  if (repaired > 0) {
    notes.push(
      `texts whose broken letters, UTF-8 that was read as Latin-1, were repaired: ${repaired}`,
    );
  }
  return { rows: plain, notes };
}

/** Returns the ways in which the texts of a column become those of a person. */
function changesOf(texts: readonly string[]): ((text: string) => string)[] {
  const isHtml = isHtmlColumn(texts);
  // Some tools escape what was escaped.
  const isTwice = isHtml && isHtmlColumn(texts.map(fromHtml));
  const isEscaped =
    texts.some((text) => ESCAPED.test(text)) && !texts.some((text) => text.includes('\n'));
  return [
    ...(isHtml ? [fromHtml] : []),
    ...(isTwice ? [fromHtml] : []),
    ...(isEscaped ? [unescaped] : []),
  ];
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nrt"\\])/g, (_, letter: string) => {
    return { n: '\n', r: '', t: '\t' }[letter] ?? letter;
  });
}

/** Returns rows with other texts in the place of theirs. A list of texts is a text of lines. */
function mapRows(
  rows: readonly NumberedRow[],
  change: (text: string, column: string) => string,
): NumberedRow[] {
  return rows.map((numbered) => {
    const values = Object.entries(numbered.row).map(([column, value]) => {
      const text = isListOfTexts(value) ? value.join('\n') : value;
      return [column, typeof text === 'string' ? change(text, column) : text] as const;
    });
    return { ...numbered, row: Object.fromEntries(values) };
  });
}

/** Lists of addresses are pictures. */
const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && !URL.canParse(item));
