import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutInvisible } from '../../src/schema/invisible.ts';
import { VALID_CONTENT } from '../support/content-folder.ts';
import { builtOnce } from '../support/edition.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { INJECTIONS } from './injections.ts';

/** The words of one review, each the same injection. */
export interface HostileReview {
  name: string;
  id: string;
  /** The published text, byte for byte. */
  text: string;
}

/** A name as hostile as a name can be that is one line. */
const BUSINESS = `Fenwick <script>alert(1)</script> ]]> & "Sons" ' \\ {{x}} \${y}`;
const LONG_NAME = `${'W'.repeat(240)} ${BUSINESS} ${'\u0634'.repeat(200)}`;

/** Words that would run, forge a link, or not break, each about an aspect of its own. */
export const ON_THE_CARD = {
  price: '</script><script>confirm(1)</script>',
  manners: '<img src=x onerror=confirm(1)>',
  parking: '[forged](javascript:confirm(1))',
  coffee: '"\' href="/forged" onclick="alert(1)"',
  music: '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627',
  paint: 'W'.repeat(100),
};

/** Without the characters that content/ refuses and an import removes. */
export const HOSTILE_REVIEWS: readonly HostileReview[] = Object.entries(INJECTIONS).map(
  ([name, injection], index) => ({
    name,
    id: ulidOf(index),
    text: withoutInvisible(injection).text,
  }),
);

const business = JSON.parse(readFileSync(join(VALID_CONTENT, 'business.json'), 'utf8')) as object;
const injected = HOSTILE_REVIEWS.map(({ id, text }) =>
  record({ id, author: text, title: text, text, owner_reply: { text, date: '2026-03-02' } }),
);
/** Older ones, so many of each aspect that the card quotes it. */
const quoted = Object.entries(ON_THE_CARD).flatMap(([aspect, words], at) => {
  const [stars, opinion] = at < 3 ? [5, 'great'] : [1, 'terrible'];
  return [1, 2, 3, 4, 5].map((day) =>
    record({
      id: ulidOf(900 + 10 * at + day),
      author: LONG_NAME.slice(0, 500),
      rating: stars,
      date: `2026-01-0${day}`,
      text: `The ${aspect} was ${opinion} ${words} and all of us saw it.`,
    }),
  );
});
const aspects = Object.keys(ON_THE_CARD).map((id) => ({ id, label: id, terms: [id] }));

/** The edition in which names, and authors, titles, texts and replies of reviews are hostile. */
export const hostileEdition = builtOnce(
  {},
  {
    'business.json': JSON.stringify({ ...business, name: LONG_NAME, category: BUSINESS }),
    faq: null,
    'vocabulary/topics.json': null,
    'vocabulary/aspects.json': JSON.stringify(aspects),
    reviews: null,
    'reviews/2026.jsonl': jsonl(...injected, ...quoted),
  },
);
