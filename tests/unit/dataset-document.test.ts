import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReview, reviewLines } from '../../src/dataset/document.ts';
import { dataset, review, documentOf, ulidOf } from '../support/reviews.ts';

const AWKWARD = [
  review({ id: ulidOf(3), text: 'One.\nTwo.\r\nThree \u2028 four \u2029 five' }),
  review({ id: ulidOf(2), text: '],"reviews":[\n{"id":1},\n]}\n', author: '"\\' }),
  review({ id: ulidOf(1), text: '水漏れ 👨‍👩‍👧 \u0000 \u007f' }),
];

for (const reviews of [[], AWKWARD.slice(0, 1), AWKWARD]) {
  test(`finds ${reviews.length} reviews again in the bytes it wrote`, () => {
    const text = documentOf(dataset(reviews));
    assert.deepEqual(JSON.parse(text), dataset(reviews));
    const lines = reviewLines(Buffer.from(text));
    assert.deepEqual(
      reviews.map((_, index) => readReview(lines, index)),
      reviews,
    );
    assert.equal(lines.count, reviews.length);
  });
}

test('refuses bytes that are not written one review a line', () => {
  for (const text of ['', '{}', '{"reviews":[]}', '{"reviews":[\n{}]}', '{"reviews":[\n{}\n]']) {
    assert.throws(() => reviewLines(Buffer.from(text)), /not written one review a line/, text);
  }
});
