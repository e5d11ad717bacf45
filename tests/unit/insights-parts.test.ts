import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReviews } from '../../src/insights/analyze/review-reader.ts';
import { misquotes } from '../../src/insights/misquotes.ts';
import { joinParts, placeOfQuote } from '../../src/schema/review-parts.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';
import { review } from '../support/reviews.ts';

const words = vocabulary({
  aspects: ['breakfast', 'bed', 'staff'].map((id) => ({ id, label: id, terms: [id] })),
  technicians: [{ id: 'ann-lee', name: 'Ann Lee', aliases: ['Ann'] }],
});
const parted = (praise: string, criticism: string, fields = {}) =>
  review({ ...joinParts(praise, criticism), rating: 4, ...fields });
const read = (one: ReturnType<typeof review>) =>
  readReviews([one], { vocabulary: words, weights: WEIGHTS }).get(one.id)!;
const sidesOf = (one: ReturnType<typeof review>) =>
  Object.fromEntries(read(one).aspects.map(({ id, sentiment }) => [id, sentiment]));

for (const rating of [1, 3, 5]) {
  test(`a bare noun takes the side of its part, at ${rating} of 5 stars`, () => {
    const sides = sidesOf(parted('the bed', 'the breakfast', { rating }));
    assert.deepEqual(sides, { bed: 'positive', breakfast: 'negative' });
  });
}

test('clear words win over the part that they are in', () => {
  const praise = 'The bed was terrible, dirty and awful.';
  const criticism = 'Breakfast was excellent, wonderful, perfect.';
  assert.deepEqual(sidesOf(parted(praise, criticism)), { bed: 'negative', breakfast: 'positive' });
});

test('a title takes no side, and moves the parts behind it', () => {
  const titled = parted('the bed', 'the breakfast', { title: 'Staff, bed and more' });
  assert.equal(sidesOf(titled).breakfast, 'negative');
  const staffIn = (one: typeof titled) => read(one).aspects.find(({ id }) => id === 'staff')!;
  assert.deepEqual(staffIn(titled), staffIn({ ...titled, criticism_at: undefined }));
  assert.equal(staffIn(titled).sentiment, 'neutral');
});

test('neither quotes nor phrases cross from praise to criticism', () => {
  for (const [praise, criticism] of [
    ['very kind', 'staff'],
    ['great', 'breakfast and bed'],
    ['Lovely bed and', 'breakfast'],
  ] as const) {
    const { aspects, passages, phrases } = read(parted(praise, criticism));
    const pieces = [
      ...aspects.map(({ quote }) => quote),
      ...[...passages, ...phrases].map(({ text }) => text),
    ].filter((piece) => piece !== null);
    assert.ok(aspects.length > 0);
    for (const piece of pieces)
      assert.ok(praise.includes(piece) || criticism.includes(piece), piece);
  }
});

test('praise is no phrase of a criticism, nor the reverse', () => {
  const hoped = 'not the excellent breakfast we had hoped for';
  const { phrases } = read(parted('great breakfast', hoped, { rating: 3 }));
  const texts = phrases.map(({ text }) => text);
  assert.deepEqual(texts, ['great breakfast', 'not the excellent breakfast']);
});

test('criticism of somebody is not about the person who was praised', () => {
  const together = review({ text: 'Ann was kind. She was rude.', rating: 3 });
  assert.equal(read(together).technician_opinions[0]!.sentiment, 'negative');
  const apart = parted('Ann was kind.', 'She was rude.', { rating: 3 });
  assert.equal(read(apart).technician_opinions[0]!.sentiment, 'positive');
});

test('a boundary that does not fit its text changes no reading', () => {
  const plain = review({ text: 'The bed. The breakfast.', rating: 4 });
  for (const criticism_at of [5, 99, 2 ** 40]) {
    assert.deepEqual(read({ ...plain, criticism_at }), read(plain));
  }
});

test('names a quote that crosses the boundary', () => {
  const one = parted('the bed', 'the breakfast');
  const reading = read(one);
  const [aspect] = reading.aspects;
  const crossing = { ...reading, aspects: [{ ...aspect!, quote: 'bed\n\nthe breakfast' }] };
  assert.equal(misquotes([one], { [one.id]: crossing }).length, 1);
  assert.deepEqual(misquotes([one], { [one.id]: reading }), []);
});

test('finds criticism in the criticism, where the praise has the same words', () => {
  const one = parted('the breakfast', 'the breakfast');
  assert.equal(placeOfQuote(one, 'the breakfast', 'positive'), 0);
  assert.equal(placeOfQuote(one, 'the breakfast', 'negative'), one.criticism_at);
  assert.equal(placeOfQuote({ text: 'Late.' }, 'Late.', 'negative'), 0);
});
