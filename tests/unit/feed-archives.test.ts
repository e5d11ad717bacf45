import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { newestFirst } from '../../src/dataset/publish.ts';
import { shiftDay } from '../../src/base/days.ts';
import { buildAtomFeed } from '../../src/resources/atom.ts';
import { feedArchives } from '../../src/resources/feed.ts';
import { buildJsonFeed } from '../../src/resources/json-feed.ts';
import type { Review } from '../../src/schema/review.ts';
import { dataset, review, ulidOf } from '../support/reviews.ts';

const FIRST = '2023-11-25';
const RUNS = { numRuns: 100, seed: 5 };

const reviewsOf = (days: readonly number[]): Review[] =>
  days
    .map((day, number) => review({ id: ulidOf(number), date: shiftDay(FIRST, day) }))
    .sort(newestFirst);

const quietDays = fc.array(fc.nat(80), { maxLength: 150 });
/** More reviews than a feed has. */
const busyDay = fc
  .tuple(fc.nat(80), fc.integer({ min: 30, max: 80 }))
  .map(([day, length]) => Array.from({ length }, () => day));
const someDays = fc
  .tuple(quietDays, fc.array(busyDay, { maxLength: 2 }))
  .map(([quiet, busy]) => [...quiet, ...busy.flat()]);

const sourceOf = (reviews: readonly Review[]) => {
  return { dataset: dataset(reviews), baseUrl: 'https://a.example', hub: 'https://a.example/hub' };
};

/** Returns the documents of all archives in both formats, by name. */
function documents(reviews: readonly Review[]): Map<string, string> {
  const source = sourceOf(reviews);
  return new Map(
    feedArchives(reviews).map((archive) => [
      archive.from,
      buildAtomFeed(source, archive) + JSON.stringify(buildJsonFeed(source, archive)),
    ]),
  );
}

test('the feed and its archives, none longer than a feed and a day, have every review once', () => {
  const check = fc.property(someDays, (days) => {
    const reviews = reviewsOf(days);
    const archives = feedArchives(reviews);
    const archived = archives.flatMap((archive) => archive.reviews);
    assert.equal(new Set(archived).size, archived.length);
    const all = new Set([...reviews.slice(0, 50), ...archived]);
    assert.deepEqual([...all].sort(newestFirst), reviews);
    assert.deepEqual(archived, archived.toSorted(newestFirst));
    const names = archives.map(({ from }) => from);
    for (const [at, { previous }] of archives.entries()) assert.equal(previous, names[at + 1]);
    assert.deepEqual(names, [...new Set(names)].sort().toReversed());
    for (const { from, reviews } of archives) {
      assert.ok(reviews.every(({ date }) => date >= from && date.startsWith(from.slice(0, 4))));
      assert.ok(reviews.filter(({ date }) => date < reviews[0]!.date).length < 50, 'is too long');
    }
  });
  fc.assert(check, RUNS);
});

test('reviews of later days change no archive, byte by byte', () => {
  let compared = 0;
  const later = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 70 });
  const check = fc.property(someDays, later, (days, ahead) => {
    const newest = Math.max(0, ...days);
    const before = documents(reviewsOf(days));
    const after = documents(reviewsOf([...days, ...ahead.map((day) => newest + day)]));
    for (const [from, document] of before) assert.equal(after.get(from), document, from);
    compared += before.size;
  });
  fc.assert(check, { ...RUNS, numRuns: 25 });
  assert.ok(compared > 10, `${compared} archives`);
});

test('a late review changes only the archives of its year', () => {
  let compared = 0;
  const check = fc.property(someDays, fc.nat(80), (days, day) => {
    const ofOtherMonths = (reviews: readonly Review[]) =>
      feedArchives(reviews)
        .filter(({ from }) => from.slice(0, 4) !== shiftDay(FIRST, day).slice(0, 4))
        .map(({ from, reviews }) => [from, reviews.map(({ date }) => date)]);
    const before = new Map(ofOtherMonths(reviewsOf(days)).map((each) => [each[0], each]));
    const after = new Map(ofOtherMonths(reviewsOf([...days, day])).map((each) => [each[0], each]));
    for (const [from, archive] of before) assert.deepEqual(after.get(from), archive);
    compared += before.size;
  });
  fc.assert(check, RUNS);
  assert.ok(compared > 40, `${compared} archives`);
});

test('there is no archive while the feed has every review', () => {
  const days = Array.from({ length: 50 }, (_, number) => number);
  assert.deepEqual(feedArchives(reviewsOf(days)), []);
  const [archive, ...others] = feedArchives(reviewsOf([...days, 200]));
  assert.equal(archive!.from, '2023-01-01');
  assert.ok(archive!.reviews.every(({ date }) => date < '2024'));
  assert.deepEqual(others, []);
});

test('a feed without an archive says that it is complete, an archive what it is; only feeds have a hub', () => {
  const rels = (reviews: readonly Review[]) => {
    const source = sourceOf(reviews);
    return [undefined, ...feedArchives(reviews)].map((part) => {
      const relations = /fh:\w+|(?<=rel=")(?:hub|current|prev-archive)/g;
      const found = [...buildAtomFeed(source, part).matchAll(relations)].join(' ');
      return 'hubs' in buildJsonFeed(source, part) ? `${found} hubs` : found;
    });
  };
  assert.deepEqual(rels([]), ['fh:complete hub hubs']);
  const days = Array.from({ length: 120 }, (_, number) => number);
  assert.deepEqual(rels(reviewsOf(days)), [
    'prev-archive hub hubs',
    'fh:archive current prev-archive',
    'fh:archive current',
  ]);
});
