import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXml } from '@rgrove/parse-xml';
import { drawImage } from '../../src/build/draw-image.ts';
import { reviewImage, shareImage } from '../../src/view/share-image.ts';
import type { AggregateRating } from '../../src/schema/dataset.ts';
import type { Review } from '../../src/schema/review.ts';

/** @param counts reviews with one star, two, … five */
function ratingOf(...counts: [number, number, number, number, number]): AggregateRating {
  const [one, two, three, four, five] = counts;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, at) => sum + count * (at + 1), 0);
  return {
    rating_value: total === 0 ? null : stars / total,
    review_count: total,
    distribution: { 1: one, 2: two, 3: three, 4: four, 5: five },
  } as AggregateRating;
}

const REVIEW = {
  author: 'Ada L.',
  date: '2026-05-14',
  rating: 1,
  source: 'google',
  title: null,
} as Review;

const GOOD = ratingOf(12, 9, 14, 40, 280);
const BAD = ratingOf(6, 2, 1, 0, 1);

test('states the name, the average and the number of reviews', () => {
  const svg = shareImage('Harbor & <Pine>', GOOD);
  assert.match(parseXml(svg).text, /Reviews of\s+Harbor & <Pine>/);
  assert.match(svg, />4\.60</);
  assert.match(svg, />of 5, from 355 verified reviews</);
});

test('draws as many stars as the average has, and bars in their shares', () => {
  assert.match(shareImage('A', BAD), /<clipPath id="rating"><rect width="37.20"/);
  const bars = [...shareImage('A', BAD).matchAll(/width="([\d.]+)" height="28"[^>]*#bd7c0c/g)];
  assert.deepEqual(
    bars.map(([, width]) => width),
    ['36.0', '0.0', '36.0', '72.0', '216.0'],
  );
});

test('leaves out a name that its font cannot draw, and shortens a long one', () => {
  const foreign = shareImage('Петербургская клиника', GOOD);
  assert.match(foreign, />Customer reviews</);
  assert.doesNotMatch(foreign, /Петербургская/);
  assert.match(shareImage('x'.repeat(200), GOOD), />x{59}…</);
});

test('says so when there is no review', () => {
  const svg = shareImage('Fenwick Drains', ratingOf(0, 0, 0, 0, 0));
  assert.match(svg, />No reviews yet</);
  assert.match(svg, /<clipPath id="rating"><rect width="0.00"/);
});

test('a review is drawn with its stars and how it begins, in as many lines as there is room for', () => {
  const text = `Two hours late. 😡 ${'Then they left again. '.repeat(20)}`;
  const svg = reviewImage('A & Sons', { ...REVIEW, text });
  assert.match(svg, /<clipPath id="rating"><rect width="22.00"/);
  assert.match(svg, />Reviews of A &#38; Sons|>Reviews of A &amp; Sons/);
  assert.match(svg, />Ada L., May 14, 2026, on Google</);
  const lines = [...svg.matchAll(/font-size="46.0"[^>]*>([^<]*)</g)].map(([, line]) => line!);
  assert.equal(lines.length, 4);
  assert.match(lines[0]!, /^Two hours late\. Then they left/);
  assert.match(lines[3]!, /[a-z.]…$/);
});

test('a review without words, or in other letters, is drawn with its stars and day', () => {
  for (const text of [null, 'Отлично']) {
    const svg = reviewImage('A', { ...REVIEW, author: 'Ада', text });
    assert.match(svg, />May 14, 2026, on Google</);
    assert.doesNotMatch(svg, /font-size="46.0"[^>]*>[^<]|А/);
  }
});

test('the picture is the same every time, and another one for another rating', async () => {
  const good = await drawImage(shareImage('A', GOOD), 600);
  assert.deepEqual(await drawImage(shareImage('A', GOOD), 600), good);
  assert.notDeepEqual(await drawImage(shareImage('A', BAD), 600), good);
});
