import { decodeHTMLStrict } from 'entities';

const NAMES =
  'p|br|div|span|b|i|u|s|em|strong|a|ul|ol|li|dl|dt|dd|h[1-6]|hr|img|table|thead|tbody|tr|td|th|blockquote|q|cite|pre|code|font|center|small|big|sub|sup|mark|del|ins|strike|section|article|figure|picture|video|iframe|svg|button|wbr|html|head|body|script|style';
/** Tags of pages and shortcodes of WordPress; a customer's `<love>` and `[sic]` stay. */
const TAG = new RegExp(
  String.raw`</?(?:${NAMES})(?:\s[^<>]*)?/?>|<!--[^<>]{0,200}-->|\[[a-z][\w-]*(?: [^[\]\n=]{0,80})?=[^[\]\n]{0,200}\]|\[/[a-z][\w-]*\]`,
  'gi',
);
const LINE_BREAK = /<(?:br|hr|li|\/(?:p|div|h[1-6]|li|ul|ol|tr|blockquote))(?:\s[^<>]*)?\/?>/gi;
/** Comments, scripts and styles; one that does not end goes on to the end, as in a browser. */
const UNSEEN = /<!--[^]*?(?:-->|$)|<(script|style)(?:\s[^<>]*)?>[^]*?(?:<\/\1(?:\s[^<>]*)?>|$)/gi;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;

/** Reads text that is written as a page: tags end lines or go, and entities become characters. */
export function fromHtml(html: string): string {
  const seen = html.replaceAll(UNSEEN, '');
  const text = seen.replaceAll(LINE_BREAK, '\n').replaceAll(TAG, '');
  return decodeHTMLStrict(text);
}

/** Among fewer texts, one with an entity tells as much as two. */
const A_FEW = 10;

/**
 * Tells whether the texts of a column are written as pages: most have tags or entities, or several
 * do and no other `&` or `<` is in the column. One customer who types `<3` or `&amp;` changes nothing.
 */
export function isHtmlColumn(values: readonly string[]): boolean {
  let marked = 0;
  let bare = 0;
  for (const value of values) {
    if (!/[<&]/.test(value)) continue;
    const rest = value.replaceAll(TAG, '').replaceAll(ENTITY, '');
    marked += Number(rest.length < value.length);
    bare += Number(/[<&]/.test(rest));
  }
  const isSome = marked > 1 || (marked === 1 && values.length < A_FEW);
  return marked * 2 > values.length || (isSome && bare === 0);
}
