import element from '../browser/embed.js?raw';
import { currentPublication } from 'virtual:publication';
import { wordingOf } from '../messages/wording.ts';
import { withWords } from '../view/embed-words.ts';
import { dataHeaders } from '../http.ts';

/** Writes the script of the element `<reviews-of>`, which any site may load. */
export function GET(): Response {
  return new Response(withWords(element, wordingOf(currentPublication().language)), {
    headers: dataHeaders('text/javascript; charset=utf-8'),
  });
}
