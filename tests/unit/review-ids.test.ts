import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetMetadata, ReviewIds } from '../../src/dataset/document.ts';
import { dataset, linesOf, review, ulidOf } from '../support/reviews.ts';

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
