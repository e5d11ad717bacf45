import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { SinceListings } from '../../sidecar/edition/since-listings.ts';
import { dayNumber } from '../../src/dataset/since.ts';
import { Random } from '../support/random.ts';
import { linesOf, review, ulidOf } from '../support/reviews.ts';

const DAY_MS = 86_400_000;
const WORDS = 'prompt tidy fair late again water heater drain crew price visit café “fine”'.split(
  ' ',
);

/** Listings of reviews of very different lengths, and every day from before the first to after. */
function listingsOf(count: number) {
  const random = new Random(7);
  const newest = Date.parse('2026-01-01T00:00:00Z');
  const dayAt = (at: number) => new Date(newest - at * DAY_MS).toISOString().slice(0, 10);
  const reviews = Array.from({ length: count }, (_, at) => {
    const text = Array.from({ length: random.below(at % 40 === 0 ? 9000 : 200) }, () =>
      random.pick(WORDS),
    ).join(' ');
    return review({ id: ulidOf(count - at), date: dayAt(Math.floor(at / 3)), text: text || null });
  });
  const lines = linesOf(reviews);
  const numbers = Uint32Array.from(reviews.map(({ date }) => dayNumber(date)));
  const days = Array.from({ length: Math.ceil(count / 3) + 3 }, (_, at) => dayAt(at - 1));
  return { listings: new SinceListings(lines, numbers), days };
}

test('the gzip of any day unpacks to its body', async () => {
  for (const count of [0, 1, 400]) {
    const { listings, days } = listingsOf(count);
    for (const day of days) {
      const gzip = Buffer.concat(await listings.gzip(day));
      assert.ok(gunzipSync(gzip).equals(Buffer.concat(listings.body(day))), `${count} ${day}`);
    }
  }
});

test('the gzip of a long listing is small', async () => {
  const { listings, days } = listingsOf(400);
  const day = days.at(-1)!;
  const plain = Buffer.concat(listings.body(day)).length;
  const gzip = Buffer.concat(await listings.gzip(day)).length;
  assert.ok(gzip < plain / 2, `${gzip} of ${plain}`);
});

test('days before the first review share their compressed bytes, all but a few', async () => {
  const { listings } = listingsOf(400);
  const [one, other] = await Promise.all(
    ['1970-01-01', '0001-01-01'].map((day) => listings.gzip(day)),
  );
  const [shared, ...own] = one!;
  assert.equal(other![0]!.buffer, shared!.buffer);
  assert.deepEqual(
    [other![0]!.byteOffset, other![0]!.length],
    [shared!.byteOffset, shared!.length],
  );
  assert.ok(Buffer.concat(own).length < 100);
  assert.notDeepEqual(Buffer.concat(other!), Buffer.concat(one!));
});

test('a listing that ends between two cuts adds little that is not compressed before', async () => {
  const { listings, days } = listingsOf(400);
  for (const day of days) {
    const [, ...own] = await listings.gzip(day);
    assert.ok(Buffer.concat(own).length < 128 * 1024, day);
  }
});
