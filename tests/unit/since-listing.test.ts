import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayNumber, shiftDay } from '../../src/base/days.ts';
import { countSince, sinceBody, sinceWindow } from '../../src/dataset/since.ts';
import { newestFirst } from '../../src/dataset/publish.ts';
import type { Review } from '../../src/schema/review.ts';
import { dataset, linesOf, review, ulidOf } from '../support/reviews.ts';

function reviewsOf(days: readonly number[]): Review[] {
  return days
    .map((day, number) => review({ id: ulidOf(number), date: shiftDay('2024-02-20', day) }))
    .sort(newestFirst);
}

const windowOf = (reviews: readonly Review[]) =>
  sinceWindow({ lines: linesOf(reviews), dataset: dataset(reviews), sidecar: true });

test('lets all listings of a dataset share their beginning', () => {
  const reviews = reviewsOf([0, 1, 2, 3]);
  const bodies = [1, 2, 3, 4].map((count) =>
    Buffer.concat(sinceBody(linesOf(reviews), count, '2024-02-20')).toString(),
  );
  for (const [at, body] of bodies.slice(1).entries()) {
    const shared = bodies[at]!.slice(0, bodies[at]!.indexOf('\n],"count"'));
    assert.ok(body.startsWith(shared));
  }
});

test('has a file for the newest days and a year ahead, without gaps', () => {
  const reviews = reviewsOf([0, 10]);
  const window = windowOf(reviews);
  assert.equal(window[0], shiftDay('2024-03-01', 366));
  assert.ok(window.includes('2024-03-01'));
  window.slice(1).forEach((day, at) => assert.equal(shiftDay(day, 1), window[at]));
});

test('bounds what the files hold together by the size of the dataset', () => {
  const text = 'Long and detailed. '.repeat(20);
  for (const count of [30, 1_000]) {
    const reviews = Array.from({ length: count }, (_, number) =>
      review({ id: ulidOf(count - number), date: shiftDay('2026-01-01', -number), text }),
    );
    const lines = linesOf(reviews);
    const days = reviews.map(({ date }) => dayNumber(date));
    const window = windowOf(reviews);
    const sizeOf = (day: string) =>
      Buffer.concat(sinceBody(lines, countSince(days, dayNumber(day)), day)).length;
    const past = window.filter((day) => day <= reviews[0]!.date);
    const written = past.reduce((sum, day) => sum + sizeOf(day), 0);
    const budget = 2 * lines.bytes.length;
    assert.ok(written <= budget, `${written} bytes exceed ${budget}`);
    assert.ok(written + sizeOf(shiftDay(window.at(-1)!, -1)) > budget, 'the budget is used');
  }
});

test('no day is written that dates cannot say', () => {
  const reviews = [review({ date: '9999-12-30' })];
  const window = windowOf(reviews);
  assert.deepEqual(window, ['9999-12-31', '9999-12-30']);
});
