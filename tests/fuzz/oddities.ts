import type { Random } from '../support/random.ts';

type Odd<T> = (random: Random) => T;

const always =
  <T>(value: T): Odd<T> =>
  () =>
    value;

/** Values for any parameter, field or name. */
export const ODD_TEXTS: readonly Odd<string>[] = [
  '',
  '0',
  '-1',
  '6',
  '1e999',
  'NaN',
  '٣',
  '3.0000000000000001',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\ufeff',
  '\u202e',
  'İ',
  'ß',
  '𝒳',
  '\r\nX: y',
  '%',
  '%zz',
  '\\',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '2026-1-1',
  '__proto__',
  'constructor',
  '[object Object]',
  '../../etc/passwd',
  "' or 1=1 --",
  '<script>',
  '{{7*7}}',
  '${7}',
  '(a+)+$',
  '[',
  '\u0130'.repeat(40),
  'e\u0301'.repeat(99),
]
  .map(always)
  .concat([
    (random) => 'a'.repeat(random.below(3000)),
    (random) => String(random.next() * 10 ** random.below(40)),
    (random) => codePoints(random, 0x110000),
    (random) => codePoints(random, 0x100),
  ]);

function codePoints(random: Random, limit: number): string {
  const points = Array.from({ length: random.below(40) }, () => random.below(limit));
  return String.fromCodePoint(...points);
}

/** Replacements for a request target, or additions to one. Bytes, as Latin-1. */
export const ODD_TARGETS: readonly Odd<string>[] = [
  '',
  '*',
  '/',
  '//',
  '/.',
  '/%2e%2e/',
  '/../../etc/passwd',
  '/%00',
  '%',
  '/%zz',
  '/%ff',
  '/%ed%a0%80',
  '/\x00',
  '/\xff\xfe',
  '/\\..\\',
  '/a b',
  '/\t',
  '?',
  '?&=&',
  '#a',
  '?query=%',
  '?query=%ff',
  '?limit',
  '?=1',
  '/;a=b',
  '//evil.example/',
  'http://evil.example/',
  'http://[::1',
  'https://a:b@c/',
  '127.0.0.1:80',
  'javascript:1',
]
  .map(always)
  .concat([
    (random) => `/${'a'.repeat(random.below(20_000))}`,
    (random) => '/..'.repeat(random.below(2000)),
    (random) => '/%2e'.repeat(random.below(2000)),
    (random) => `/${Buffer.from(codePoints(random, 0x110000)).toString('latin1')}`,
    (random) => `?${'query=a&'.repeat(random.below(1500))}`,
  ]);

export const ODD_METHODS: readonly string[] = [
  'POST',
  'PUT',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'M-SEARCH',
  'QUERY',
  'BREW',
  'get',
  'G\0T',
  'GET\t',
  '',
  ' ',
  'PRI',
  'OPTIONS',
  'A'.repeat(5000),
  '\x16\x03\x01',
];

const NAMES = [
  'Accept',
  'Accept-Encoding',
  'Range',
  'If-Range',
  'If-None-Match',
  'If-Modified-Since',
  'Host',
  'Origin',
  'X-Request-Id',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'Forwarded',
  'Authorization',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Content-Type',
  'Referer',
  'Connection',
  'Access-Control-Request-Method',
  'Sec-Fetch-Dest',
  'User-Agent',
];

const VALUES: readonly Odd<string>[] = [
  '',
  '*',
  ',',
  ';',
  ';q=',
  '*;q=2',
  'a;q=0,'.repeat(500),
  '"',
  'W/',
  'W/"',
  '"a',
  '"\\"',
  '""',
  'bytes=',
  'bytes=-0',
  'bytes=9-1',
  'bytes=0-0,2-3',
  'bytes=-99999999999999999999',
  'bytes=18446744073709551616-',
  'bytes=0-99999999999',
  'Thu, 99 Foo 9999 99:99:99 GMT',
  '-1',
  'NaN',
  '\xff\xfe',
  'a\0b',
  '\x7f',
  'a:b',
  '[::1',
  '127.0.0.1:99999999',
  'evil.example',
  'null',
  'multipart/form-data; boundary=',
  '=?base64?!!!?=',
  '2026-07-28',
  '2025-06-18',
  'x.y.z.w',
]
  .map(always)
  .concat([(random) => 'z'.repeat(random.below(9000)), (random) => codePoints(random, 0x100)]);

/** Header lines with another meaning, or none. */
const LINES = [
  'no colon',
  ': nothing',
  'Sp ace: 1',
  'A:\r\n folded',
  'A: 1\rB: 2',
  'A: 1\nB: 2',
  '\0: 1',
  'Expect: 100-continue',
  'Expect: the worst',
  'Host: a\r\nHost: b',
  '__proto__: 1',
  'Upgrade: h2c\r\nConnection: Upgrade',
  'Upgrade: websocket',
  'Content-Encoding: gzip',
];

/** Returns a header line, or something in its place. */
export const oddHeader: Odd<string> = (random) =>
  random.below(2) === 0
    ? random.pick(LINES)
    : `${random.pick(NAMES)}: ${random.pick(VALUES)(random)}`;

const LENGTHS = ['-1', '+1', '1e3', '0x10', '', ' ', '1 1', '1,1', '9'.repeat(20), '\xb2', '1.5'];
const CODINGS = [
  'chunked',
  'chunked, chunked',
  'gzip',
  'gzip, chunked',
  'identity',
  'xchunked',
  '',
];

/**
 * Returns header lines that state the length of a body.
 *
 * @param length the real one
 */
export function oddFraming(random: Random, length: number): string[] {
  const stated = (value: number) => `Content-Length: ${value}`;
  return random.pick([
    [`Content-Length: ${random.pick(LENGTHS)}`],
    [`Transfer-Encoding: ${random.pick(CODINGS)}`],
    [stated(length + 1 + random.below(1000))],
    [stated(random.below(length + 1))],
    [stated(length), stated(length + 1)],
    [stated(length), 'Transfer-Encoding: chunked'],
    [],
  ]);
}
