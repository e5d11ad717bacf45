import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetHead, ReviewIds } from '../../src/dataset/document.ts';
import { dataset, linesOf, review, ulidOf } from '../support/reviews.ts';

const COUNT = 3000;
const reviews = Array.from({ length: COUNT }, (_, number) => review({ id: ulidOf(number) }));
const ids = new ReviewIds(linesOf(reviews));

test('every id is found where it stands', () => {
  for (let position = 0; position < COUNT; position++) {
    assert.equal(ids.positionOf(ulidOf(position)), position);
  }
});

test('an id that no review has is not found', () => {
  for (const id of [ulidOf(COUNT), '', 'x', `${ulidOf(1)}0`, ulidOf(1).slice(1), 'é'.repeat(13)]) {
    assert.equal(ids.positionOf(id), undefined, id);
  }
});

test('of no reviews none is found', () => {
  const none = new ReviewIds(linesOf([]));
  assert.equal(none.positionOf(ulidOf(1)), undefined);
  assert.deepEqual(none.startingWith('', 5), []);
});

test('ids are found by their beginning, in the order of the reviews', () => {
  const prefix = ulidOf(1230).slice(0, -1);
  const ten = Array.from({ length: 10 }, (_, digit) => ulidOf(1230 + digit));
  assert.deepEqual(ids.startingWith(prefix, 100), ten);
  assert.deepEqual(ids.startingWith(prefix, 3), ten.slice(0, 3));
  assert.deepEqual(ids.startingWith('', 2), [ulidOf(0), ulidOf(1)]);
  assert.deepEqual(ids.startingWith('Z', 2), []);
  assert.deepEqual(ids.startingWith(`${ulidOf(1)}0`, 2), []);
});

test('ids are found that differ in a few characters', () => {
  const slip = `X${ulidOf(7).slice(1)}`;
  assert.deepEqual(ids.near(slip, 1, 5), [ulidOf(7)]);
  assert.equal(ids.near(slip, 2, 5).length, 5);
  assert.deepEqual(ids.near(slip, 0, 5), []);
  assert.deepEqual(ids.near('short', 3, 5), []);
});

test('the head of reviews.json is read without its reviews', () => {
  for (const some of [[], reviews.slice(0, 3)]) {
    const { reviews: _, ...head } = dataset(some);
    assert.deepEqual(datasetHead(linesOf(some)), head);
  }
});
