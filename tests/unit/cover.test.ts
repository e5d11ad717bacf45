import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { imageMetadata } from 'astro/assets/utils';
import { drawCover } from '../../src/build/draw-cover.ts';
import { readContent } from '../../src/content/read-content.ts';
import { COVER } from '../support/fixtures.ts';
import {
  assertIssues,
  contentFolder,
  VALID_CONTENT,
  type Changes,
} from '../support/content-folder.ts';

const JPEG = readFileSync(COVER);
const BUSINESS = JSON.parse(readFileSync(`${VALID_CONTENT}/business.json`, 'utf8')) as object;
/** The valid folder whose cover is described. */
const described = (files: Changes): Changes => ({
  'business.json': JSON.stringify({ ...BUSINESS, cover_alt: 'A green van' }),
  ...files,
});

test('a cover is turned as its camera says, cut to a band, and keeps nothing of its file', async (context) => {
  const folder = await contentFolder(context, described({ 'cover.jpg': JPEG }));
  const { cover } = await readContent(folder);
  assert.ok(JPEG.includes('Ada Lovelace'));
  assert.deepEqual([cover!.width, cover!.height], [1024, 512]);
  const { alt, sizes } = await drawCover(cover!);
  assert.equal(alt, 'A green van');
  // No larger than the picture.
  const drawn = sizes.map(({ width, height }) => `${width} × ${height}`);
  assert.deepEqual(drawn, ['480 × 192', '960 × 384']);
  for (const { path, bytes, ...size } of sizes) {
    const expected = { format: 'webp', orientation: undefined, ...size };
    assert.deepEqual({ orientation: undefined, ...(await imageMetadata(bytes)) }, expected);
    assert.ok(!Buffer.from(bytes).includes('EXIF') && !Buffer.from(bytes).includes('Lovelace'));
    assert.match(path, /^\/_astro\/cover-\d+\.[\w-]{8}\.webp$/);
  }
});

const MOVING = Buffer.concat([
  Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
  Buffer.from([0x02, 0, 0, 0, 0xff, 0x03, 0, 0xff, 0x01, 0]), // moves; 1024 by 512
]);
const SMALL = Buffer.from('89504e470d0a1a0a0000000d494844520000030000000400', 'hex');
const LARGE = Buffer.alloc(15 * 1024 * 1024 + 1, JPEG);
const NONE = 'there is no cover.jpg, cover.jpeg, cover.png, cover.webp to describe';
const NO_PICTURE = 'cover.png: is not a JPEG, PNG or WebP picture';

for (const [changes, issue] of [
  [{ 'cover.jpg': JPEG }, 'business.json: cover_alt: is missing: say what cover.jpg shows'],
  [described({}), `business.json: cover_alt: ${NONE}`],
  [
    described({ 'cover.jpg': JPEG, 'cover.webp': JPEG }),
    'cover.webp: is there beside cover.jpg: keep one of them',
  ],
  [described({ 'cover.png': 'GIF89a' }), NO_PICTURE],
  [described({ 'cover.png': '<svg xmlns="http://www.w3.org/2000/svg"/>' }), NO_PICTURE],
  [described({ 'cover.png': '' }), NO_PICTURE],
  [described({ 'cover.jpg': LARGE }), 'cover.jpg: is larger than 15 MiB (was 15728641)'],
  [described({ 'cover.webp': MOVING }), 'cover.webp: moves: save one picture of it'],
  [
    described({ 'cover.png': SMALL }),
    'cover.png: has fewer than 960 × 384 pixels (was "768 × 1024")',
  ],
] as [Changes, string][]) {
  test(`refuses a cover: ${issue}`, (context) => assertIssues(context, changes, [issue]));
}

test('a cover that cannot be decoded stops the build', async () => {
  const file = 'content/cover.jpg';
  const broken = { file, bytes: JPEG.subarray(0, 200), alt: '', width: 1024, height: 512 };
  await assert.rejects(drawCover(broken), { message: `${file}: cannot be decoded: save it anew` });
});
