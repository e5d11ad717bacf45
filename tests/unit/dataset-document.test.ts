import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewLine, reviewLines } from '../../src/dataset/document.ts';
import type { Review } from '../../src/schema/review.ts';
import { dataset, linesOf, review, documentOf, ulidOf } from '../support/reviews.ts';

const AWKWARD = [
  review({ id: ulidOf(3), text: 'One.\nTwo.\r\nThree \u2028 four \u2029 five' }),
  review({ id: ulidOf(2), text: '],"reviews":[\n{"id":1},\n]}\n', author: '"\\' }),
  review({ id: ulidOf(1), text: '水漏れ 👨‍👩‍👧 \u0000 \u007f' }),
];

function read(bytes: Buffer): Review[] {
  const lines = reviewLines(bytes);
  return Array.from(
    { length: lines.count },
    (_, index) => JSON.parse(reviewLine(lines, index).toString()) as Review,
  );
}

for (const reviews of [[], AWKWARD.slice(0, 1), AWKWARD]) {
  test(`finds ${reviews.length} reviews again in the bytes it wrote`, () => {
    const text = documentOf(dataset(reviews));
    assert.deepEqual(JSON.parse(text), dataset(reviews));
    assert.deepEqual(read(Buffer.from(text)), reviews);
  });
}

test('copies no bytes', () => {
  const lines = linesOf(AWKWARD);
  assert.equal(reviewLine(lines, 1).buffer, lines.bytes.buffer);
});

test('refuses bytes that are not written one review a line', () => {
  for (const text of ['', '{}', '{"reviews":[]}', '{"reviews":[\n{}]}', '{"reviews":[\n{}\n]']) {
    assert.throws(() => reviewLines(Buffer.from(text)), /not written one review a line/, text);
  }
});
