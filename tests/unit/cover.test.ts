import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { imageMetadata } from 'astro/assets/utils';
import { drawCover } from '../../src/build/draw-cover.ts';
import { readContent } from '../../src/content/read-content.ts';
import { COVER } from '../support/fixtures.ts';
import { contentFolder, issuesOf, VALID_CONTENT, type Changes } from '../support/content-folder.ts';

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

test('refuses a cover that has no words, a second one, and what is no picture', async (context) => {
  assert.deepEqual(await issuesOf(context, { 'cover.jpg': JPEG }), [
    'content/business.json: cover_alt: is missing: say what cover.jpg shows',
  ]);
  assert.deepEqual(await issuesOf(context, described({})), [
    'content/business.json: cover_alt: there is no cover.jpg, cover.jpeg, cover.png, cover.webp to describe',
  ]);
  const files = { 'cover.jpg': JPEG, 'cover.webp': JPEG };
  assert.deepEqual(await issuesOf(context, described(files)), [
    'content/cover.webp: is there beside cover.jpg: keep one of them',
  ]);
  for (const picture of ['GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', '']) {
    assert.deepEqual(await issuesOf(context, described({ 'cover.png': picture })), [
      'content/cover.png: is not a JPEG, PNG or WebP picture',
    ]);
  }
  const large = Buffer.alloc(15 * 1024 * 1024 + 1, JPEG);
  assert.deepEqual(await issuesOf(context, described({ 'cover.jpg': large })), [
    'content/cover.jpg: is larger than 15 MiB (was 15728641)',
  ]);
});

test('refuses a cover that moves', async (context) => {
  const canvas = Buffer.from([0x02, 0, 0, 0, 0xff, 0x03, 0, 0xff, 0x01, 0]); // moves; 1024 by 512
  const chunk = Buffer.concat([Buffer.from('VP8X\x0a\0\0\0', 'latin1'), canvas]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(4 + chunk.length);
  const picture = Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), chunk]);
  assert.deepEqual(await issuesOf(context, described({ 'cover.webp': picture })), [
    'content/cover.webp: moves: save one picture of it',
  ]);
});

test('refuses a cover with too few pixels, and one that cannot be decoded', async (context) => {
  const small = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.from([0, 0, 3, 0, 0, 0, 4, 0]);
  const picture = Buffer.concat([small, size]);
  assert.deepEqual(await issuesOf(context, described({ 'cover.png': picture })), [
    'content/cover.png: has fewer than 960 × 384 pixels (was "768 × 1024")',
  ]);
  const file = 'content/cover.jpg';
  const broken = { file, bytes: JPEG.subarray(0, 200), alt: '', width: 1024, height: 512 };
  await assert.rejects(drawCover(broken), { message: `${file}: cannot be decoded: save it anew` });
});
