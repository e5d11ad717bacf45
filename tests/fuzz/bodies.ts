import type { Random } from '../support/random.ts';
import { initialize, request } from '../support/mcp.ts';
import { ODD_TEXTS } from './oddities.ts';

/** Returns a body for /mcp: almost valid, hostile JSON, or no JSON. */
export function jsonBody(random: Random): Buffer {
  return Buffer.from(random.pick(JSON_BODIES)(random));
}

type Body = (random: Random) => string | Buffer;

const JSON_BODIES: readonly Body[] = [
  (random) => JSON.stringify(request(random.pick(METHODS), anything(random) as object)),
  (random) => JSON.stringify(called(random.pick(TOOLS), anything(random))),
  (random) => JSON.stringify(called(random.pick(TOOLS), argumentsOf(random))),
  (random) => JSON.stringify({ ...initialize(), [random.pick(MEMBERS)]: anything(random) }),
  (random) => JSON.stringify(anything(random)),
  (random) => deep('[', ']', random),
  (random) => deep('{"a":', '}', random),
  (random) =>
    nested('tools/call', `{"name":"search_reviews","arguments":${deep('[', ']', random)}}`),
  (random) =>
    nested('tools/call', `{"name":"get_business","arguments":${deep('{"a":', '}', random)}}`),
  (random) => nested('tools/list', `{"_meta":${deep('{"a":', '}', random)}}`),
  (random) => nested('initialize', `{"capabilities":${deep('{"a":', '}', random)}}`),
  (random) =>
    nested('tools/list', '{"__proto__":{"name":1},"constructor":{"prototype":{"a":1}}}', random),
  (random) => JSON.stringify(Array.from({ length: random.below(3000) }, () => request('ping'))),
  (random) => `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(random.below(400_000))}"}`,
  (random) => `{"jsonrpc":"2.0","id":${'9'.repeat(1 + random.below(5000))},"method":"ping"}`,
  (random) => `{${'"a":1,'.repeat(random.below(20_000))}"b":1}`,
  () => Buffer.from([0x22, 0xff, 0xc0, 0xaf, 0x22]),
  () => Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', 'utf16le'),
  () => '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
  () => '{"jsonrpc":"2.0","id":1,"method":"ping"',
  () => '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"} \0',
  () => '',
];

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'logging/setLevel',
  'toString',
  '',
];
const TOOLS = ['search_reviews', 'get_business', 'get_review', 'get_insights', '__proto__', ''];
const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__'];
const ARGUMENTS = ['rating', 'since', 'query', 'limit', 'id', 'name', 'mentions_service', 'cursor'];

function called(name: string, given: unknown): object {
  return request('tools/call', { name, arguments: given });
}

function nested(method: string, params: string, random?: Random): string {
  const id = random ? JSON.stringify(anything(random)) : '1';
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

function argumentsOf(random: Random): object {
  const pairs = Array.from({ length: random.below(6) }, () => [
    random.pick(ARGUMENTS),
    anything(random),
  ]);
  return Object.fromEntries(pairs) as object;
}

/** Returns a JSON value of any kind, a few levels deep at most. */
function anything(random: Random, levels = 3): unknown {
  const kind = random.below(levels > 0 ? 7 : 5);
  if (kind < 2) return random.pick(ODD_TEXTS)(random);
  if (kind === 2) return (random.next() - 0.5) * 10 ** random.below(300);
  if (kind < 5) return random.pick([null, true, false, 0, -0, 1, '', 2 ** 53, 1e308]);
  const items = Array.from({ length: random.below(5) }, () => anything(random, levels - 1));
  if (kind === 5) return items;
  const names = ['name', 'uri', '_meta', 'arguments', 'protocolVersion', 'ref', 'argument', 'a'];
  return Object.fromEntries(items.map((item) => [random.pick(names), item]));
}

function deep(open: string, close: string, random: Random): string {
  const levels = 10 ** (1 + random.below(4)) * (1 + random.below(4));
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

/** Returns a body for the hub. Every callback is on loopback, refused, or not a URL. */
export function formBody(random: Random): Buffer {
  const kind = random.below(12);
  if (kind === 0) return Buffer.from('%'.repeat(random.below(9000)));
  if (kind === 1) return Buffer.from('&='.repeat(random.below(6000)));
  if (kind === 2) return Buffer.from('hub.mode=subscribe&hub.callback=%ff%fe\xff\0', 'latin1');
  if (kind === 3) return Buffer.from(`hub.secret=${'a'.repeat(random.below(20_000))}`);
  const odd = () => random.pick(ODD_TEXTS)(random);
  const topic = random.below(3) ? 'http://localhost:4321/feed.xml' : odd();
  const fields: [string, string][] = [
    ['hub.mode', random.pick(['subscribe', 'unsubscribe', 'publish', odd()])],
    ['hub.callback', random.pick(CALLBACKS)],
    ['hub.topic', topic],
    ['hub.url', topic],
    ['hub.secret', odd()],
    ['hub.lease_seconds', random.pick(['1', '300', '99999999999999999999', odd()])],
    [odd(), odd()],
  ];
  return Buffer.from(new URLSearchParams(fields.filter(() => random.below(5) > 0)).toString());
}

const CALLBACKS = [
  'https://127.0.0.1:1/',
  'https://127.0.0.1:1/?a=%00',
  'https://127.0.0.1:1/\0',
  'http://127.0.0.1/',
  'https://127.0.0.1:1/é',
  'https://127.0.0.1:0/',
  'https://127.0.0.1:99999/',
  'https://0x7f.1:1/',
  'https://10.0.0.1/',
  'https://[::1]:1/',
  'https://[::ffff:10.0.0.1]/',
  'https://a:b@127.0.0.1:1/',
  'https://',
  'https:127.0.0.1:1',
  '//127.0.0.1',
  'javascript:1',
  'file:///etc/passwd',
  '\ud800',
  `https://127.0.0.1:1/${'a'.repeat(2020)}`,
];
