import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { parseXml } from '@rgrove/parse-xml';
import { drawImage } from '../../src/build/draw-image.ts';
import { reviewImage, shareImage, type Brand } from '../../src/view/share-image.ts';
import type { AggregateRating } from '../../src/schema/dataset.ts';
import type { Review } from '../../src/schema/review.ts';

const [FULL, EMPTY] = ['#bd7c0c', '#dcd5c5'];

/** Returns the fills of the stars. */
function fillsOf(svg: string): string[] {
  return [...svg.matchAll(/<use href="#star" x="\d+" fill="([^"]+)"/g)].map(([, fill]) => fill!);
}

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

function brandOf(name: string): Brand {
  return { name, accent: '#0a5a55' };
}

const GOOD = ratingOf(12, 9, 14, 40, 280);
const BAD = ratingOf(6, 2, 1, 0, 1);

test('states the name, the average and the number of reviews', () => {
  const svg = shareImage(brandOf('Harbor & <Pine>'), GOOD);
  assert.match(parseXml(svg).text, /Reviews of\s+Harbor & <Pine>/);
  assert.match(svg, />4\.60</);
  assert.match(svg, />of 5, from 355 verified reviews</);
});

test('draws as many stars as the average has, and bars in their shares', () => {
  assert.deepEqual(fillsOf(shareImage(brandOf('A'), BAD)), [
    FULL,
    'url(#part)',
    EMPTY,
    EMPTY,
    EMPTY,
  ]);
  assert.match(shareImage(brandOf('A'), BAD), /<stop offset="0.80" stop-color="#bd7c0c"/);
  const bars = [
    ...shareImage(brandOf('A'), BAD).matchAll(/width="([\d.]+)" height="28"[^>]*#bd7c0c/g),
  ];
  assert.deepEqual(
    bars.map(([, width]) => width),
    ['36.0', '0.0', '36.0', '72.0', '216.0'],
  );
});

test('leaves out a name that its font cannot draw, and shortens a long one', () => {
  const foreign = shareImage(brandOf('Петербургская клиника'), GOOD);
  assert.match(foreign, />Customer reviews</);
  assert.doesNotMatch(foreign, /Петербургская/);
  assert.match(shareImage(brandOf('x'.repeat(200)), GOOD), />x{59}…</);
});

test('says so when there is no review', () => {
  const svg = shareImage(brandOf('Fenwick Drains'), ratingOf(0, 0, 0, 0, 0));
  assert.match(svg, />No reviews yet</);
  assert.deepEqual(new Set(fillsOf(svg)), new Set([EMPTY]));
});

test('a review is drawn with its stars and how it begins, in as many lines as there is room for', () => {
  const text = `Two hours late. 😡 ${'Then they left again. '.repeat(20)}`;
  const svg = reviewImage(brandOf('A & Sons'), { ...REVIEW, text });
  assert.deepEqual(fillsOf(svg), [FULL, EMPTY, EMPTY, EMPTY, EMPTY]);
  assert.match(svg, />Reviews of A &#38; Sons|>Reviews of A &amp; Sons/);
  assert.match(svg, />Ada L., May 14, 2026, on Google</);
  const lines = [...svg.matchAll(/font-size="52.0"[^>]*>([^<]*)</g)].map(([, line]) => line!);
  assert.equal(lines.length, 3);
  assert.match(lines[0]!, /^Two hours late\. Then they left/);
  assert.match(lines[2]!, /[a-z.]…$/);
});

test('a review without words, or in other letters, is drawn with its stars and day', () => {
  for (const text of [null, 'Отлично']) {
    const svg = reviewImage(brandOf('A'), { ...REVIEW, author: 'Ада', text });
    assert.match(svg, />May 14, 2026, on Google</);
    assert.doesNotMatch(svg, /font-size="52.0"[^>]*>[^<]|А/);
  }
});

test('the picture is the same every time, and another one for another rating', async () => {
  const good = await drawImage(shareImage(brandOf('A'), GOOD), 600);
  assert.deepEqual(await drawImage(shareImage(brandOf('A'), GOOD), 600), good);
  assert.notDeepEqual(await drawImage(shareImage(brandOf('A'), BAD), 600), good);
});

test('another decoder reads the pixels that were encoded', async () => {
  const png = await drawImage(shareImage(brandOf('A'), GOOD), 600);
  const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const shown = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="315"><image width="600" height="315" href="${url}"/></svg>`;
  assert.deepEqual(await drawImage(shown, 600), png);
});

test('a picture with transparent parts, or of too many colors, has no palette', async () => {
  const [circle, gradient] = [
    '<circle cx="8" cy="8" r="8" fill="#b00020"/>',
    '<linearGradient id="a"><stop stop-color="red"/><stop offset=".5" stop-color="blue"/><stop offset="1" stop-color="lime"/></linearGradient><rect width="512" height="16" fill="url(#a)"/>',
  ];
  for (const drawing of [circle, gradient]) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="16">${drawing}</svg>`;
    assert.equal(chunkOf(await drawImage(svg, 512), 'PLTE'), undefined);
  }
});

test('a picture has the accent and the logo of the theme', async () => {
  const plain = brandOf('A');
  const red = '#b00020';
  assert.equal(
    colorAt(await drawImage(shareImage({ ...plain, accent: red }, GOOD), 600), 300, 2),
    red,
  );
  const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="${red}" d="M0 0h1v1H0z"/></svg>`;
  const branded = shareImage({ ...plain, logo: `data:image/svg+xml;base64,${btoa(square)}` }, GOOD);
  assert.equal(colorAt(await drawImage(branded, 600), 536, 52), red);
});

/** Returns the data of a chunk of a PNG. */
function chunkOf(png: Uint8Array, type: string): Buffer | undefined {
  const bytes = Buffer.from(png);
  const at = bytes.indexOf(type, 'latin1');
  return at === -1 ? undefined : bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4));
}

/** Returns a color of a PNG with a palette, 600 pixels wide and without filters. */
function colorAt(png: Uint8Array, x: number, y: number): string {
  const index = inflateSync(chunkOf(png, 'IDAT')!)[y * 601 + 1 + x]!;
  return `#${chunkOf(png, 'PLTE')!
    .subarray(3 * index, 3 * index + 3)
    .toString('hex')}`;
}
