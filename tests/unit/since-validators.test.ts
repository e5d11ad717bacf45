import assert from 'node:assert/strict';
import { Hash } from 'node:crypto';
import { test } from 'node:test';
import { inTurns } from '../../sidecar/base/in-turns.ts';
import { SinceListings } from '../../sidecar/edition/since-listings.ts';
import { dayNumber } from '../../src/dataset/since.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { atOnce } from '../../src/search/steps.ts';
import { linesOf, review, ulidOf } from '../support/reviews.ts';

const REVIEWS = 300;
const DAY_MS = 86_400_000;

/** Returns one review per day, newest first, some kilobytes each; and the days in random order. */
function reviewsOfManyDays() {
  const text = 'Long and detailed. '.repeat(400);
  const newest = Date.parse('2026-01-01T00:00:00Z');
  const dates = Array.from({ length: REVIEWS }, (_, at) =>
    new Date(newest - at * DAY_MS).toISOString().slice(0, 10),
  );
  const lines = linesOf(dates.map((date, at) => review({ id: ulidOf(REVIEWS - at), date, text })));
  const listings = new SinceListings(lines, Uint32Array.from(dates.map(dayNumber)));
  const shuffled = dates.map((_, at) => dates[(at * 101) % REVIEWS]!);
  return { listings, days: ['2026-01-02', ...shuffled], size: lines.bytes.length };
}

test('the validator of any day is that of its body, whatever was asked before', () => {
  const { listings, days } = reviewsOfManyDays();
  for (const day of days) {
    assert.equal(atOnce(listings.etag(day)), strongETag(Buffer.concat(listings.body(day))), day);
  }
});

test('the validators of days that are asked for at once are those of their bodies', async () => {
  const { listings, days } = reviewsOfManyDays();
  const etags = await Promise.all(days.map((day) => inTurns(listings.etag(day))));
  const bodies = days.map((day) => strongETag(Buffer.concat(listings.body(day))));
  assert.deepEqual(etags, bodies);
});

test('the validators of all days cost a few readings of the reviews, not one each', async (context) => {
  const { listings, days, size } = reviewsOfManyDays();
  const update = context.mock.method(Hash.prototype, 'update');
  await Promise.all(days.map((day) => inTurns(listings.etag(day))));
  const hashed = update.mock.calls.reduce(
    (sum, { arguments: [data] }) => sum + Buffer.byteLength(data),
    0,
  );
  assert.ok(hashed < 10 * size, `${hashed} bytes hashed for ${size}`);
});

test('the validator of a long listing is made in steps of a megabyte, once', () => {
  const { listings, days, size } = reviewsOfManyDays();
  const [oldest, next] = days.toSorted();
  assert.ok([...listings.etag(oldest!)].length >= Math.floor(size / 2 ** 20));
  assert.deepEqual([...listings.etag(next!)], []);
});
