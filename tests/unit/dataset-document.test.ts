import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetMetadata, readReview, ReviewIds, reviewLines } from '../../src/dataset/document.ts';
import { dataset, documentOf, linesOf, review, ulidOf } from '../support/reviews.ts';

const AWKWARD = [
  review({ id: ulidOf(3), text: 'One.\nTwo.\r\nThree \u2028 four \u2029 five' }),
  review({ id: ulidOf(2), text: '],"reviews":[\n{"id":1},\n]}\n', author: '"\\' }),
  review({ id: ulidOf(1), text: '水漏れ 👨‍👩‍👧 \u0000 \u007f' }),
];

for (const reviews of [[], AWKWARD.slice(0, 1), AWKWARD]) {
  test(`finds ${reviews.length} reviews again in the bytes it wrote, and what is before them`, () => {
    const whole = dataset(reviews);
    const text = documentOf(whole);
    assert.deepEqual(JSON.parse(text), whole);
    const lines = reviewLines(Buffer.from(text));
    const found = reviews.map((_, index) => readReview(lines, index));
    assert.deepEqual(found, reviews);
    assert.equal(lines.count, reviews.length);
    assert.deepEqual({ ...datasetMetadata(lines), reviews }, whole);
  });
}

test('refuses bytes that are not written one review a line', () => {
  for (const text of ['', '{}', '{"reviews":[]}', '{"reviews":[\n{}]}', '{"reviews":[\n{}\n]']) {
    assert.throws(() => reviewLines(Buffer.from(text)), /not written one review a line/, text);
  }
});

test('a review is found by its id, and the newest by their number', () => {
  const ids = new ReviewIds(linesOf(AWKWARD));
  const positions = AWKWARD.map(({ id }) => ids.positionOf(id));
  assert.deepEqual(positions, [0, 1, 2]);
  for (const id of [ulidOf(4), '', 'x', `${ulidOf(1)}0`, ulidOf(1).slice(1), 'é'.repeat(13)]) {
    assert.equal(ids.positionOf(id), undefined, id);
  }
  assert.deepEqual(ids.newest(2), [ulidOf(3), ulidOf(2)]);
  assert.equal(ids.newest(4).length, 3);
  assert.equal(new ReviewIds(linesOf([])).positionOf(ulidOf(1)), undefined);
});
