import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { wordingOf } from '../../src/messages/wording.ts';
import { entryHtml, entryText } from '../../src/resources/feed.ts';
import { isParted, joinParts, partsOf, shortened } from '../../src/schema/review-parts.ts';
import { reviewOfBusiness } from '../../src/view/json-ld.ts';
import { starsOf } from '../../src/schema/score.ts';
import { marksWithin, markedPieces } from '../../src/view/matches.ts';
import { review } from '../support/reviews.ts';

const BOTH = review({
  ...joinParts('Kind staff', 'Thin <walls>'),
  rating: 4,
  score: { value: 7.9, best: 10 },
});

test('parts that are joined are found again, also with characters of two units', () => {
  const part = fc.string({ unit: 'grapheme' }).map((text) => text.trim());
  fc.assert(
    fc.property(part, part, (praise, criticism) => {
      fc.pre(praise + criticism !== '');
      assert.deepEqual(partsOf(joinParts(praise, criticism)), { praise, criticism });
    }),
  );
});

test('a boundary is the start, the end or a paragraph of its text', () => {
  const text = 'Beds\n\nNoise\nDust';
  const places = Array.from({ length: 20 }, (_, at) => at);
  const fitting = places.filter((criticism_at) => isParted({ text, criticism_at }));
  assert.deepEqual(fitting, [0, 6, text.length]);
});

test('a shortened text has the beginning of both parts', () => {
  const long = shortened(joinParts('good '.repeat(50), 'bad '.repeat(50)), 100);
  const { praise, criticism } = partsOf(long)!;
  assert.match(praise, /^good .*…$/);
  assert.match(criticism, /^bad .*…$/);
  assert.ok(long.text!.length <= 106);
  // A short part leaves its room to the other.
  const short = partsOf(shortened(joinParts('good '.repeat(50), 'bad'), 100))!;
  assert.ok(short.praise.length > 80);
  assert.equal(short.criticism, 'bad');
});

test('a feed labels parts, if there are any, in the language of the site, and has the score as given', () => {
  const html =
    '<p>4 von 5 Sternen (7,9 von 10)</p><p><strong>Hat gefallen</strong></p><p>Kind staff</p>' +
    '<p><strong>Hat nicht gefallen</strong></p><p>Thin &#60;walls&#62;</p>';
  assert.equal(entryHtml(BOTH, wordingOf('de')), html);
  const text = '4 of 5 stars (7.9 of 10)\n\nLiked: Kind staff\n\nDisliked: Thin <walls>';
  assert.equal(entryText(BOTH, wordingOf()), text);
  const plain = review({ text: 'Swift.\n\nTidy.' });
  assert.equal(entryText(plain, wordingOf()), '5 of 5 stars\n\nSwift.\n\nTidy.');
});

test('structured data has the words alone, and each part as what it is', () => {
  const business = { name: 'Inn' } as Parameters<typeof reviewOfBusiness>[1];
  const { reviewBody, positiveNotes, negativeNotes } = reviewOfBusiness(BOTH, business, '');
  assert.equal(reviewBody, 'Kind staff\n\nThin <walls>');
  assert.deepEqual([positiveNotes, negativeNotes], ['Kind staff', 'Thin <walls>']);
});

test('marks of a text are those of its part, at their place in it', () => {
  const { text, criticism_at: start = 0 } = BOTH;
  const marks = [
    [0, 4, 'positive'],
    [start, start + 4, 'negative'],
    [5, start + 4],
  ] as const;
  const marked = marksWithin(marks, start, text!.slice(start));
  const pieces = markedPieces('Thin <walls>', marked).map((piece) => piece.text);
  assert.deepEqual(pieces, ['Thin', ' <walls>']);
});

test('a score of another scale is rounded to stars, halves up, and never to none', () => {
  const stars = (value: number, best: number) => starsOf({ value, best });
  assert.deepEqual([stars(9, 10), stars(8.9, 10), stars(7, 10), stars(0.5, 10)], [5, 4, 4, 1]);
  assert.deepEqual([stars(50, 100), stars(49, 100), stars(3, 3)], [3, 2, 5]);
});
