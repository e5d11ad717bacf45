import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawImage } from '../../src/build/draw-image.ts';
import { computeRating } from '../../src/dataset/aggregate.ts';
import { wordingOf } from '../../src/messages/wording.ts';
import type { AggregateRating } from '../../src/schema/dataset.ts';
import { shareImage as imageIn } from '../../src/view/share-image.ts';
import { parseDocument } from '../support/parse-xml.ts';
import { review } from '../support/reviews.ts';

const shareImage = (name: string, rating: AggregateRating) =>
  imageIn({ name, accent: '#0a5a55' }, rating, wordingOf());

/** @param counts reviews with one star, two, … five */
const ratingOf = (...counts: number[]) =>
  computeRating(
    counts.flatMap((count, at) => Array.from({ length: count }, () => review({ rating: at + 1 }))),
  );

const GOOD = ratingOf(12, 9, 14, 40, 280);
const BAD = ratingOf(6, 2, 1, 0, 1);

test('states the name, the average and the number of reviews', () => {
  const svg = shareImage('Harbor & <Pine>', GOOD);
  assert.match(parseDocument(svg).text, /Reviews of\s+Harbor & <Pine>/);
  assert.match(svg, />4\.60</);
  assert.match(svg, />of 5, from 355 reviews</);
});

test('draws as many stars as the average has, and bars in their shares', () => {
  // 1.8 of five stars, each 22 wide.
  assert.match(shareImage('A', BAD), /<clipPath id="part"><rect width="39.6"/);
  const bars = shareImage('A', BAD).matchAll(/width="([\d.]+)" height="28"[^>]*#bd7c0c/g);
  const widths = [...bars].map(([, width]) => width);
  assert.deepEqual(widths, ['36.0', '0.0', '36.0', '72.0', '216.0']);
});

test('leaves out a name that its font cannot draw, and shortens a long one', () => {
  const foreign = shareImage('Петербургская клиника', GOOD);
  assert.match(foreign, />Customer reviews</);
  assert.doesNotMatch(foreign, /Петербургская/);
  assert.match(shareImage('x'.repeat(200), GOOD), />x{59}…</);
});

test('the picture is the same every time, and another one for another rating', async () => {
  const drawn = async (rating: AggregateRating) =>
    Buffer.from(await drawImage(shareImage('A', rating), 600));
  const good = await drawn(GOOD);
  assert.ok(good.equals(await drawn(GOOD)));
  assert.ok(!good.equals(await drawn(BAD)));
});
