import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { BADGE, DARK_BADGE } from '../../src/resources/badge.ts';
import type { Source } from '../../src/resources/source.ts';
import { dataset, review } from '../support/reviews.ts';
import { parseDocument } from '../support/parse-xml.ts';

const sourceOf = (...stars: number[]) => {
  const published = dataset(stars.map((rating, at) => review({ rating, id: String(at) })));
  return { dataset: published, baseUrl: 'https://a.example' } as unknown as Source;
};
const drawn = (source: Source) => String(BADGE.build!(source, []));

test('a badge says average, count, distribution and what is left out, good or bad', () => {
  const all =
    /1\.80 of 5 from all 5 reviews of .*: 0 with 5, 0 with 4, 1 with 3, 2 with 2, 2 with 1; 0 known/;
  assert.match(drawn(sourceOf(1, 2, 2, 3, 1)), all);
  assert.match(drawn(sourceOf(5, 5, 4)), /4\.67 of 5 from all 3 reviews/);
  assert.match(drawn(sourceOf(1)), /1\.00 of 5 from all 1 review/);
  assert.match(drawn(sourceOf()), /– of 5/);
});

test('stars and bars are as wide as the numbers are', () => {
  const svg = drawn(sourceOf(5, 5, 1, 1));
  assert.match(svg, /<clipPath id="part"><rect width="66\.0"/); // 3 of 5 stars of 110
  const bars = [...svg.matchAll(/width="([\d.]+)" height="7" rx="2" fill="#bd7c0c"/g)];
  const widths = bars.map(([, width]) => width);
  assert.deepEqual(widths, ['55.0', '0.0', '0.0', '0.0', '55.0']);
});

test('each look is well-formed XML, whatever the name of the business', () => {
  const source = sourceOf(4);
  source.dataset.business.name = '<script>"&Söhne’s';
  for (const { build } of [BADGE, DARK_BADGE]) parseDocument(String(build!(source, [])));
});

test('the script of the element is at most 5 KB on the wire', () => {
  const script = readFileSync('src/browser/embed.js');
  assert.ok(gzipSync(script).length <= 5 * 1024);
});
