import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotModified } from '../../src/edition/conditional.ts';
import { quoteDigest, sha256, strongETag, variantETag } from '../../src/edition/etag.ts';

const ETAG = '"abc"';
const MODIFIED = Date.UTC(2026, 0, 1) / 1000;
const at = (offset: number) => new Date((MODIFIED + offset) * 1000).toUTCString();

/** RFC 9110, section 13: the headers of a request, and true for a 304. */
const CASES: [
  behaviour: string,
  ifNoneMatch: string | null,
  since: string | null,
  same: boolean,
][] = [
  ['no condition', null, null, false],
  ['the same tag', ETAG, null, true],
  ['a weak form of it', `W/${ETAG}`, null, true],
  ['another tag', '"abd"', null, false],
  ['a tag that begins alike', '"ab"', null, false],
  ['a list with it', `"x", ${ETAG} , "y"`, null, true],
  ['a list without spaces', `"x",${ETAG}`, null, true],
  ['a list without it', '"x", "y"', null, false],
  ['a tag with a comma in it', '"abc,abc"', null, false],
  ['a tag that holds it', '"x\\"abc"', null, false],
  ['a star', '*', null, true],
  ['a star with spaces', ' * ', null, true],
  ['a quoted star', '"*"', null, false],
  ['a tag without quotes', 'abc', null, false],
  ['nothing', '', null, false],
  ['another case', '"ABC"', null, false],
  ['another tag, though not modified since', '"x"', at(0), false],
  ['the same tag, though modified since', ETAG, at(-10), true],
  ['the time itself', null, at(0), true],
  ['a later time', null, at(1), true],
  ['an earlier time', null, at(-1), false],
  ['the time itself as RFC 850 wrote it', null, 'Thursday, 01-Jan-26 00:00:00 GMT', true],
  ['an earlier time as RFC 850 wrote it', null, 'Wednesday, 31-Dec-25 23:59:59 GMT', false],
  ['the time itself as asctime writes it', null, 'Thu Jan  1 00:00:00 2026', true],
  ['an earlier time as asctime writes it', null, 'Wed Dec 31 23:59:59 2025', false],
  ['a time that is none', null, 'yesterday', false],
  ['a day that is none', null, 'Thu, 99 Jan 2026 00:00:00 GMT', false],
  ['an empty time', null, '', false],
];

for (const [behaviour, ifNoneMatch, since, same] of CASES) {
  test(`answers ${same ? '304' : 'in full'} to ${behaviour}`, () => {
    const validators = { etag: ETAG, lastModified: MODIFIED };
    assert.equal(isNotModified(ifNoneMatch, since, validators), same);
  });
}

test('answers in full to a time when the resource has none', () => {
  assert.equal(isNotModified(undefined, at(0), { etag: ETAG }), false);
});

test('takes no long time for a hostile list', () => {
  const started = performance.now();
  isNotModified('"'.repeat(100_001), null, { etag: ETAG });
  isNotModified('W/'.repeat(100_000), null, { etag: ETAG });
  isNotModified(`"${'a'.repeat(200_000)}`, null, { etag: ETAG });
  assert.ok(performance.now() - started < 1000);
});

test('derives a tag from the bytes alone', () => {
  assert.equal(strongETag(Buffer.from('é')), strongETag('é'));
  assert.notEqual(strongETag('a'), strongETag('a '));
  assert.match(strongETag(''), /^"[\w-]{43}"$/);
  assert.equal(strongETag('x'), quoteDigest(sha256('x')));
});

test('gives an encoded variant a strong tag of its own', () => {
  const tags = [ETAG, variantETag(ETAG, 'br'), variantETag(ETAG, 'gzip')];
  assert.equal(new Set(tags).size, 3);
  for (const tag of tags) assert.match(tag, /^"[^"]+"$/);
});
