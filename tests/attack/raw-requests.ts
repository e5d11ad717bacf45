import {
  HUB_PATH,
  MCP_PATH,
  REVIEWS_PATH,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
} from '../../src/paths.ts';

/** Bytes for a connection of their own, and the only status allowed in response. */
export interface RawRequest {
  name: string;
  bytes: Buffer;
  /** `none`: the server closes without a response. */
  status: number | 'none';
}

/** Hosts that no address can have (RFC 9112, section 3.2). */
const BAD_HOSTS = [
  '',
  'a:99999',
  'a:x',
  'a:80:80',
  '1.2.3.4.5',
  '1.2.3.999',
  '1x.0.0.1',
  'a@b',
  'a:b@c',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  'a b',
  'a<b',
  '[::1',
  '::1',
  '[::1]x',
  '[zz]',
  '%',
  '%41',
  'caf\xe9',
  '\xff',
  'a, b',
];
const GOOD_HOSTS = ['reviews.example', 'REVIEWS.example:8080', 'a_b', '[::1]:80', 'a.', 'a:'];

/**
 * Targets parsed in different places: plain, normalized, with a query, with an undecodable segment.
 */
const TARGETS = [
  REVIEWS_PATH,
  '/./a',
  `${SEARCH_PATH}?query='`,
  '/api/reviews/since/%zz',
  `${SEARCH_PAGE_PATH}?query=<`,
];

const CLOSE = 'Connection: close';
const JSON_POST = [
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  CLOSE,
];
const FORM_POST = ['Content-Type: application/x-www-form-urlencoded', CLOSE];
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

/** Returns requests that must be refused, or get a single response, whatever they try. */
export function rawRequests(): RawRequest[] {
  return [...unfinished(), ...hosts(), ...targets(), ...framing(), ...heads()];
}

/** They begin and go no further. */
function unfinished(): RawRequest[] {
  const post = [`POST ${MCP_PATH} HTTP/1.1`, 'Host: localhost', ...JSON_POST, 'Content-Length: 90'];
  return [
    raw('a head without end', 408, 'GET / HTTP/1.1\r\nHost: a\r\n'),
    raw('a body without end', 408, `${post.join('\r\n')}\r\n\r\n{`),
  ];
}

function hosts(): RawRequest[] {
  const bad = BAD_HOSTS.flatMap((host) =>
    TARGETS.map((target) =>
      request(`Host ${host} at ${target}`, 400, [`GET ${target}`, `Host: ${host}`]),
    ),
  );
  const good = GOOD_HOSTS.map((host) =>
    request(`Host ${host}`, 200, [`GET ${REVIEWS_PATH}`, `Host: ${host}`]),
  );
  return [
    ...bad,
    ...good,
    request('two Hosts', 400, [`GET ${REVIEWS_PATH}`, 'Host: a', 'Host: b']),
    request('one Host twice', 400, [`GET ${REVIEWS_PATH}`, 'Host: a', 'hOST: a']),
    request('no Host', 400, [`GET ${REVIEWS_PATH}`]),
    raw('HTTP/2.0 in HTTP/1', 505, `GET ${REVIEWS_PATH} HTTP/2.0\r\nHost: localhost\r\n\r\n`),
    raw('no Host in HTTP/1.0', 200, `GET ${REVIEWS_PATH} HTTP/1.0\r\n\r\n`),
    request('a forwarded host that is none', 200, [
      'GET /reviews.json?a=%27',
      'Host: a',
      'X-Forwarded-Host: a:99999',
      'X-Forwarded-For: 192.0.2.1',
    ]),
  ];
}

function targets(): RawRequest[] {
  const at = (status: number, ...names: string[]) =>
    names.map((target) => request(`target ${target}`, status, [`GET ${target}`, 'Host: a']));
  return [
    ...at(200, `http://a${REVIEWS_PATH}`, `https://b:1${REVIEWS_PATH}`, '/x/../reviews.json'),
    ...at(400, 'http://a:99999/', 'http://a@b/', 'http:///', 'ftp://a/', 'reviews.json', '%'),
    ...at(400, '/%', '/%zz', '/%E0%A4%A', '/%ff.json', '/api/%ed%a0%80', '/\xff', '/\x7f', '/\0'),
    ...at(400, '/a b', '?a', 'http://[', '/api/reviews/since/%'),
    ...at(404, '*', '/%00', '/..%2f..%2fetc/passwd', '//a', `/${'a'.repeat(8000)}`, '/%2e%2e/x'),
    request('absolute form, bad Host', 400, [`GET http://a${REVIEWS_PATH}`, 'Host: a:99999']),
  ];
}

function framing(): RawRequest[] {
  const post = (name: string, status: number, lines: string[], body: string) =>
    request(name, status, [`POST ${MCP_PATH}`, 'Host: localhost', ...JSON_POST, ...lines], body);
  const smuggled = `Content-Length: ${SMUGGLED.length}`;
  const aimedAt = (method: string) => [`${method} ${REVIEWS_PATH}`, 'Host: a', CLOSE, smuggled];
  const form = [`POST ${HUB_PATH}`, 'Host: a', ...FORM_POST, CHUNKED];
  return [
    post('Content-Length and Transfer-Encoding', 400, [FOUR, CHUNKED], `0\r\n\r\n${SMUGGLED}`),
    post('two Content-Lengths', 400, [FOUR, 'Content-Length: 40'], SMUGGLED),
    post('signed Content-Length', 400, ['Content-Length: +4'], SMUGGLED),
    post('negative Content-Length', 400, ['Content-Length: -4'], SMUGGLED),
    post('hexadecimal Content-Length', 400, ['Content-Length: 0x4'], SMUGGLED),
    post('Content-Length of a list', 400, ['Content-Length: 4, 4'], SMUGGLED),
    post('unknown Transfer-Encoding', 400, ['Transfer-Encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`),
    post('chunked not last', 400, ['Transfer-Encoding: chunked, gzip'], `0\r\n\r\n${SMUGGLED}`),
    post('space before the colon', 400, ['Content-Length : 4'], SMUGGLED),
    post('folded header', 400, ['X-A: b\r\n  c', 'Content-Length: 0'], ''),
    post('NUL in a header', 400, ['X-A: b\0c', 'Content-Length: 0'], ''),
    post('chunk of no size', 400, [CHUNKED], `zz\r\n${SMUGGLED}`),
    post('chunk larger than any number', 400, [CHUNKED], `fffffffffffffffff\r\n${SMUGGLED}`),
    post('endless chunk extension', 413, [CHUNKED], `1;${'a'.repeat(20_000)}\r\n`),
    post('a request as the body', 400, [smuggled], SMUGGLED),
    request('a request as the body of a file', 405, aimedAt('POST'), SMUGGLED),
    request('a request as the body of a GET', 200, aimedAt('GET'), SMUGGLED),
    request('a form too large', 413, form, chunksOf(20_000)),
    raw('bare line feeds', 400, `GET ${REVIEWS_PATH} HTTP/1.1\nHost: a\nConnection: close\n\n`),
  ];
}

function heads(): RawRequest[] {
  const get = (name: string, status: number, ...lines: string[]) =>
    request(name, status, [`GET ${REVIEWS_PATH}`, 'Host: a', CLOSE, ...lines]);
  return [
    get('a header of 200 KB', 431, `X-Long: ${'a'.repeat(200_000)}`),
    get('3,000 headers', 431, ...Array.from({ length: 3000 }, (_, at) => `X-${at}: ${at}`)),
    get('an expectation nobody meets', 200, 'Expect: the-unexpected'),
    get('an upgrade that is not offered', 200, 'Connection: upgrade', 'Upgrade: h2c'),
    get('ranges without end', 200, `Range: bytes=${'0-0,'.repeat(1000)}0-0`),
    get('encodings without end', 200, `Accept-Encoding: ${'a;q=0.1,'.repeat(1000)}b`),
    get('a request id that breaks a line', 400, 'X-Request-Id: a\rb'),
    request('a tunnel', 405, ['CONNECT 127.0.0.1:22', 'Host: 127.0.0.1:22', CLOSE]),
    request('a trace', 405, [`TRACE ${REVIEWS_PATH}`, 'Host: a', CLOSE]),
    request('a method nobody knows', 400, [`BREW ${REVIEWS_PATH}`, 'Host: a', CLOSE]),
    raw('HTTP/2 without asking', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    raw('HTTP/9.9', 400, `GET / HTTP/9.9\r\nHost: a\r\n\r\n`),
    raw('TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    raw('nothing but line breaks', 'none', '\r\n\r\n\r\n'),
  ];
}

const CHUNKED = 'Transfer-Encoding: chunked';
const FOUR = 'Content-Length: 4';

function chunksOf(bytes: number): string {
  return `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n0\r\n\r\n`;
}

/** @param lines the first without the HTTP version */
function request(name: string, status: number, lines: readonly string[], body = ''): RawRequest {
  const [first, ...rest] = lines;
  const closing = rest.includes(CLOSE) ? [] : [CLOSE];
  const head = [`${first} HTTP/1.1`, ...rest, ...closing, '', ''].join('\r\n');
  return raw(name, status, head + body);
}

function raw(name: string, status: RawRequest['status'], text: string): RawRequest {
  return { name, status, bytes: Buffer.from(text, 'latin1') };
}
