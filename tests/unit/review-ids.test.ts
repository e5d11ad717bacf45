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
  assert.deepEqual(none.startingWith('', 5), []);
});

test('ids are found by their beginning, the newest first', () => {
  const prefix = ulidOf(1230).slice(0, -1);
  const ten = Array.from({ length: 10 }, (_, digit) => ulidOf(1230 + digit));
  assert.deepEqual(ids.startingWith(prefix, 100), ten);
  assert.deepEqual(ids.startingWith(prefix, 3), ten.slice(0, 3));
  assert.deepEqual(ids.startingWith('', 2), [ulidOf(0), ulidOf(1)]);
  assert.deepEqual(ids.startingWith('Z', 2), []);
  assert.deepEqual(ids.startingWith(`${ulidOf(1)}0`, 2), []);
});

test('ids are found that differ in one digit, wherever it is', () => {
  assert.deepEqual(ids.near(`X${ulidOf(7).slice(1)}`, 5), [ulidOf(7)]);
  assert.deepEqual(ids.near(`${ulidOf(70).slice(0, -1)}X`, 3), [79, 78, 77].map(ulidOf));
  assert.deepEqual(ids.near(`XX${ulidOf(7).slice(2)}`, 5), []);
  assert.deepEqual(ids.near(ulidOf(COUNT - 1).replace(/9$/, 'X'), 20).length, 10);
  assert.ok(!ids.near(ulidOf(7), 20).includes(ulidOf(7)));
  assert.deepEqual(ids.near('short', 5), []);
});

test('the newest ids are those of the first lines', () => {
  assert.deepEqual(ids.newest(2), [ulidOf(0), ulidOf(1)]);
  assert.equal(ids.newest(COUNT + 1).length, COUNT);
});

test('an unknown id costs about the same among many reviews as among few', () => {
  const one = review({ id: ulidOf(0) });
  const timeAmong = (count: number): number => {
    const some = Array.from({ length: count }, (_, at) => ({ ...one, id: ulidOf(at) }));
    const ids = new ReviewIds(linesOf(some));
    const unknown = 'Z'.repeat(26);
    const look = () => ids.near(unknown, 3).length;
    const runs = Array.from({ length: 30 }, () => {
      const began = performance.now();
      for (let time = 0; time < 5; time++) assert.equal(look(), 0);
      return performance.now() - began;
    });
    return Math.min(...runs.slice(5));
  };
  const ratio = timeAmong(64_000) / timeAmong(1_000);
  assert.ok(ratio < 8, `64 times the reviews cost ${ratio} times the time`);
});

test('the head of reviews.json is read without its reviews', () => {
  for (const some of [[], reviews.slice(0, 3)]) {
    const { reviews: _, ...head } = dataset(some);
    assert.deepEqual(datasetMetadata(linesOf(some)), head);
  }
});
