import element from '../browser/embed.js?raw';
import { dataHeaders } from '../http.ts';

/** Writes the script of the element `<reviews-of>`, which any site may load. */
export function GET(): Response {
  return new Response(element, { headers: dataHeaders('text/javascript; charset=utf-8') });
}
