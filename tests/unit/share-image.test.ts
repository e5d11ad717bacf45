import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import { parseXml } from '@rgrove/parse-xml';
import { drawImage } from '../../src/build/draw-image.ts';
import { shareImage as imageIn, type Brand } from '../../src/view/share-image.ts';
import type { AggregateRating } from '../../src/schema/dataset.ts';

const shareImage = (brand: Brand, rating: Parameters<typeof imageIn>[1]) =>
  imageIn(brand, rating, wordingOf());

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

function brandOf(name: string): Brand {
  return { name, accent: '#0a5a55' };
}

const GOOD = ratingOf(12, 9, 14, 40, 280);
const BAD = ratingOf(6, 2, 1, 0, 1);

test('states the name, the average and the number of reviews', () => {
  const svg = shareImage(brandOf('Harbor & <Pine>'), GOOD);
  assert.match(parseXml(svg).text, /Reviews of\s+Harbor & <Pine>/);
  assert.match(svg, />4\.60</);
  assert.match(svg, />of 5, from 355 reviews</);
});

test('draws as many stars as the average has, and bars in their shares', () => {
  // 1.8 of five stars, each 22 wide.
  assert.match(shareImage(brandOf('A'), BAD), /<clipPath id="part"><rect width="39.6"/);
  const bars = shareImage(brandOf('A'), BAD).matchAll(/width="([\d.]+)" height="28"[^>]*#bd7c0c/g);
  const widths = [...bars].map(([, width]) => width);
  assert.deepEqual(widths, ['36.0', '0.0', '36.0', '72.0', '216.0']);
});

test('leaves out a name that its font cannot draw, and shortens a long one', () => {
  const foreign = shareImage(brandOf('Петербургская клиника'), GOOD);
  assert.match(foreign, />Customer reviews</);
  assert.doesNotMatch(foreign, /Петербургская/);
  assert.match(shareImage(brandOf('x'.repeat(200)), GOOD), />x{59}…</);
});

test('the picture is the same every time, and another one for another rating', async () => {
  const good = await drawImage(shareImage(brandOf('A'), GOOD), 600);
  assert.deepEqual(await drawImage(shareImage(brandOf('A'), GOOD), 600), good);
  assert.notDeepEqual(await drawImage(shareImage(brandOf('A'), BAD), 600), good);
});
