import { currentPublication } from 'virtual:publication';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import styles from '../layouts/feed.css?raw';
import tokens from '../layouts/tokens.css?raw';
import { dataHeaders } from '../http.ts';
import { themeStyles } from '../schema/theme.ts';

/** Writes the style of the feeds in a browser, with the typeface and the accent of the pages. */
export function GET(): Response {
  const font = `@font-face {
  font-family: 'Source Sans';
  font-weight: 200 900;
  src: url('${sans}') format('woff2');
}
`;
  const theme = tokens + themeStyles(currentPublication().theme);
  return new Response(`${styles}\n${font}${theme}`, {
    headers: dataHeaders('text/css; charset=utf-8'),
  });
}
