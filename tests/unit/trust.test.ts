import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_LANGUAGES } from '../../src/schema/business.ts';
import { wordingOf } from '../../src/messages/wording.ts';
import type { Review } from '../../src/schema/review.ts';
import { marksText, trustText } from '../../src/view/trust.ts';
import { initialsOf, phoneNumber } from '../../src/view/wording.ts';

type Level = Review['verification'];

type Group = [source: string, level: Level, count: number];

/** Returns the sentence about so many reviews of each source and level. */
function said(language: string, ...groups: Group[]): string {
  const reviews = groups.flatMap(([source, verification, length]) =>
    Array.from({ length }, () => ({ source, verification })),
  );
  return trustText(reviews, wordingOf(language));
}

test('a sentence says who wrote the reviews of a level, and who says so, the strongest first', () => {
  const levels: Group[] = [
    ['google', 'owner', 1],
    ['google', 'account', 20],
    ['booking', 'purchase', 2],
  ];
  const sentences = [
    said('en', ['booking', 'purchase', 900]),
    said('en', ['feefo', 'purchase', 1]),
    said('en', ['google', 'account', 3], ['yelp', 'account', 4]),
    said('en', ['google', 'owner', 355]),
    said('de', ['booking', 'purchase', 900]),
    said('es', ['trustpilot', 'account', 1]),
    said('fr', ['google', 'owner', 12]),
    said('ar', ['booking', 'purchase', 900]),
    said('en', ...levels),
    said('de', ...levels),
  ];
  assert.deepEqual(sentences, [
    'All 900 reviews are from guests whose stay Booking confirmed.',
    'The review is from a customer whose purchase Feefo confirmed.',
    'All 7 reviews were written with accounts of Yelp and Google.',
    '355 reviews; the business states that customers wrote them.',
    'Alle 900 Bewertungen stammen von Gästen, deren Aufenthalt von Booking bestätigt wurde.',
    'La reseña se escribió con una cuenta de Trustpilot.',
    '12 avis ; l’établissement déclare que des clients les ont écrits.',
    'كل التقييمات، وعددها 900، من نزلاء أُكِّدت إقامتهم على Booking.',
    '2 reviews are from guests whose stay Booking confirmed. 20 reviews were written with an account of Google. Of 1 review, the business states that a customer wrote it.',
    '2 Bewertungen stammen von Gästen, deren Aufenthalt von Booking bestätigt wurde. 20 Bewertungen wurden mit einem Konto bei Google geschrieben. 1 Bewertung ist nach Angabe des Betriebs von einem Kunden.',
  ]);
});

const marksOf = (words: ReturnType<typeof wordingOf>, ...levels: Level[]) =>
  marksText(
    levels.map((verification) => ({ verification })),
    words,
  );

test('each level has a word of its own in every language, which the page explains if it has such a review', () => {
  const levels = ['owner', 'purchase', 'account'] as const;
  for (const language of PAGE_LANGUAGES) {
    const words = wordingOf(language);
    const marks = levels.map((level) => words.t(`verification.${level}`));
    assert.equal(new Set(marks).size, levels.length, language);
    for (const mark of marks) assert.match(mark, /^\S+( \S+)?$/, language);
    const explained = (...of: Level[]) =>
      marks.filter((mark) => marksOf(words, ...of).includes(mark));
    assert.deepEqual(explained(...levels), marks);
    assert.deepEqual(explained('account'), [marks[2]]);
  }
  const stated = '“stated” under a review: the business states that a customer wrote it.';
  assert.equal(marksOf(wordingOf('en'), 'owner', 'owner'), stated);
});

test('a telephone number has groups that can be dialed, in every country', () => {
  const written = ['+12075550142', '+351213870142', '+34954220142', '+97143210142', '+4930123456'];
  assert.deepEqual(
    written.map((number) => phoneNumber(number).replaceAll('\u00a0', ' ')),
    ['+1 207 555 0142', '+351 213 870 142', '+34 954 220 142', '+971 432 101 42', '+49 301 234 56'],
  );
});

test('a disc has the first letters of the first and the last word of a name', () => {
  const names = ['Vikram S. Rao', 'Ada L.', 'ike', '“Mo” da Silva', 'محمد علي', '🙂', 'Émile Zola'];
  assert.deepEqual(names.map(initialsOf), ['VR', 'AL', 'I', 'MS', 'مع', '', 'ÉZ']);
});
