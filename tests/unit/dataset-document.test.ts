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
  test(`finds ${reviews.length} reviews again in the bytes it wrote`, () => {
    const text = documentOf(dataset(reviews));
    assert.deepEqual(JSON.parse(text), dataset(reviews));
    const lines = reviewLines(Buffer.from(text));
    const found = reviews.map((_, index) => readReview(lines, index));
    assert.deepEqual(found, reviews);
    assert.equal(lines.count, reviews.length);
  });
}

test('refuses bytes that are not written one review a line', () => {
  for (const text of ['', '{}', '{"reviews":[]}', '{"reviews":[\n{}]}', '{"reviews":[\n{}\n]']) {
    assert.throws(() => reviewLines(Buffer.from(text)), /not written one review a line/, text);
  }
});

const COUNT = 3000;
const reviews = Array.from({ length: COUNT }, (_, number) => review({ id: ulidOf(number) }));
const ids = new ReviewIds(linesOf(reviews));

test('every id is found at its place', () => {
  for (let position = 0; position < COUNT; position++) {
    assert.equal(ids.positionOf(ulidOf(position)), position);
  }
});

test('an id that no review has is not found', () => {
  for (const id of [ulidOf(COUNT), '', 'x', `${ulidOf(1)}0`, ulidOf(1).slice(1), 'é'.repeat(13)]) {
    assert.equal(ids.positionOf(id), undefined, id);
  }
});

test('no id is found among no reviews', () => {
  const none = new ReviewIds(linesOf([]));
  assert.equal(none.positionOf(ulidOf(1)), undefined);
});

test('the newest ids are those of the first lines', () => {
  assert.deepEqual(ids.newest(2), [ulidOf(0), ulidOf(1)]);
  assert.equal(ids.newest(COUNT + 1).length, COUNT);
});

test('the head of reviews.json is read without its reviews', () => {
  for (const some of [[], reviews.slice(0, 3)]) {
    const { reviews: _, ...head } = dataset(some);
    assert.deepEqual(datasetMetadata(linesOf(some)), head);
  }
});
