import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionStatus, type Validators } from '../../src/edition/conditional.ts';

const ETAG = '"abc"';
const MODIFIED = Date.UTC(2026, 0, 1) / 1000;
const at = (offset: number) => new Date((MODIFIED + offset) * 1000).toUTCString();

/** RFC 9110, section 13, beyond spec/conditional: the headers of a request, and true for a 304. */
type Case = [behavior: string, ifNoneMatch: string | null, since: string | null, same: boolean];
const CASES: Case[] = [
  ['a tag that begins alike', '"ab"', null, false],
  ['a list with it', `"x", ${ETAG} , "y"`, null, true],
  ['a list without spaces', `"x",${ETAG}`, null, true],
  ['a list without it', '"x", "y"', null, false],
  ['a tag with a comma in it', '"abc,abc"', null, false],
  ['a tag that holds it', '"x\\"abc"', null, false],
  ['a star', '*', null, true],
  ['a star with spaces', ' * ', null, true],
  ['a quoted star', '"*"', null, false],
  ['a tag without quotes', 'abc', null, true],
  ['a tag that lost its first quote', 'abc:gzip"', null, true],
  ['a tag that lost its last quote', '"abc', null, true],
  ['a list without quotes', 'W/x, abc', null, true],
  ['escaped quotes', '\\"abc\\"', null, true],
  ['escaped quotes of a weak tag', 'W/\\"abc\\"', null, true],
  ['doubled quotes', '""abc""', null, true],
  ['quotes as HTML writes them', '&quot;abc&quot;', null, true],
  ['quotes as an address writes them', '%22abc%22', null, true],
  ...['-gzip', '--gzip', ';gzip', '/gzip', '-br', ';br', '-gzip-gzip', '-zstd'].map(
    (added): Case => [`${added} of a front`, `"abc${added}"`, null, true],
  ),
  ['a weak tag with -gzip', 'W/"abc-gzip"', null, true],
  ['another ending', '"abc-xml"', null, false],
  ['no tag but an encoding', '"-gzip"', null, false],
  ['nothing', '', null, false],
  ['another case', '"ABC"', null, false],
  ['the time itself as RFC 850 wrote it', null, 'Thursday, 01-Jan-26 00:00:00 GMT', true],
  ['an earlier time as RFC 850 wrote it', null, 'Wednesday, 31-Dec-25 23:59:59 GMT', false],
  ['the time itself as asctime writes it', null, 'Thu Jan  1 00:00:00 2026', true],
  ['an earlier time as asctime writes it', null, 'Wed Dec 31 23:59:59 2025', false],
  ...['UTC', '+0000', '+00:00', 'gmt', 'GMT; length=48035'].map((zone): Case => [
    `the time itself in ${zone}`,
    null,
    `Thu, 01 Jan 2026 00:00:00 ${zone}`,
    true,
  ]),
  ['an earlier time in another zone', null, 'Thu, 01 Jan 2026 00:00:00 +0100', false],
  ['the time itself with a short day', null, 'Thu, 1 Jan 2026 00:00:00 GMT', true],
  ['seconds since 1970', null, '4102444800', false],
  ['a time of a local zone', null, 'Fri, 01 Jan 2100 00:00:00 CET', false],
  ['a day without a time', null, 'Fri, 01 Jan 2100', false],
  ['a year without a day', null, 'year 2100 00:00:00', false],
  ['a time that is none', null, 'yesterday', false],
  ['a day that is none', null, 'Thu, 99 Jan 2026 00:00:00 GMT', false],
  ['an empty time', null, '', false],
];

const VALIDATORS = { etag: ETAG, lastModified: MODIFIED };
/** Returns the status that conditions lead to. */
const statusOf = (conditions: Record<string, string | null>, validators: Validators = VALIDATORS) =>
  conditionStatus({ get: (name) => conditions[name] ?? null }, validators);

for (const [behavior, ifNoneMatch, since, same] of CASES) {
  test(`answers ${same ? '304' : 'in full'} to ${behavior}`, () => {
    const conditions = { 'if-none-match': ifNoneMatch, 'if-modified-since': since };
    assert.equal(statusOf(conditions), same ? 304 : undefined);
  });
}

/** RFC 9110, sections 13.1.1, 13.1.4 and 13.2.2. */
for (const [behavior, conditions, expected] of [
  ['If-Match with a list', { 'if-match': `"x", ${ETAG}` }, undefined],
  ['If-Match with nothing', { 'if-match': '' }, 412],
  ['If-Match with a weak form, because it compares strongly', { 'if-match': `W/${ETAG}` }, 412],
  ['If-Unmodified-Since the time', { 'if-unmodified-since': at(0) }, undefined],
  ['If-Unmodified-Since an earlier time', { 'if-unmodified-since': at(-1) }, 412],
  ['If-Unmodified-Since no time', { 'if-unmodified-since': 'yesterday' }, undefined],
  ['If-Match first', { 'if-match': ETAG, 'if-unmodified-since': at(-1) }, undefined],
  ['If-Match before If-None-Match', { 'if-match': '"x"', 'if-none-match': ETAG }, 412],
  ['If-None-Match after If-Match', { 'if-match': ETAG, 'if-none-match': ETAG }, 304],
  ['both times', { 'if-unmodified-since': at(-1), 'if-modified-since': at(0) }, 412],
] as [string, Record<string, string>, 412 | 304 | undefined][]) {
  test(`answers ${expected ?? 'in full'} to ${behavior}`, () => {
    assert.equal(statusOf(conditions), expected);
  });
}

test('a tag of an encoding is known for that one, however a front writes it', () => {
  const status = (given: string) => statusOf({ 'if-none-match': given }, { etag: '"abc-gzip"' });
  for (const known of ['"abc-gzip"', '"abc;gzip"', '"abc-gzip--gzip"'])
    assert.equal(status(known), 304);
  for (const other of ['"abc-br"', '"abc"']) assert.equal(status(other), undefined);
});

test('answers in full to a time when the resource has none', () => {
  const dates = { 'if-modified-since': at(0), 'if-unmodified-since': at(-1) };
  assert.equal(statusOf(dates, { etag: ETAG }), undefined);
});

test('takes no long time for a hostile list', () => {
  const started = performance.now();
  statusOf({ 'if-none-match': '"'.repeat(100_001) });
  statusOf({ 'if-none-match': 'W/'.repeat(100_000) });
  statusOf({ 'if-none-match': `"${'a'.repeat(200_000)}` });
  assert.ok(performance.now() - started < 1000);
});
