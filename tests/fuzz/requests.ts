import { rawRequests } from '../attack/raw-requests.ts';
import { HUB_PATH } from '../../src/paths.ts';
import { Random } from '../support/random.ts';
import type { RouteRequest } from '../support/routes.ts';

/** The bytes sent on a connection. */
export interface FuzzRequest {
  kind: string;
  bytes: Buffer;
}

/** Requests that are changed at random: those of every route, and known attacks. */
export class FuzzRequests {
  readonly #seed: number;
  readonly #valid: readonly Buffer[];
  readonly #hostile = rawRequests().map(({ bytes }) => bytes);

  constructor(seed: number, routes: readonly RouteRequest[]) {
    this.#seed = seed;
    this.#valid = routes.map((route) => Buffer.from(wireText(route)));
  }

  /** Returns the request of a number: the same for the same seed, whatever was sent before. */
  at(index: number): FuzzRequest {
    const random = new Random(Math.imul(this.#seed, 1_000_003) + index);
    const valid = this.#valid[(index >> 1) % this.#valid.length]!;
    const [one, other] = [index % 2 === 0 ? valid : random.pick(this.#hostile), valid];
    const kind = random.pick(KINDS);
    return { kind, bytes: CHANGES[kind]!(one, random, other) };
  }
}

/** The hub must not ask a callback that was changed, because it could be someone's address. */
function withoutTopic({ route, body }: RouteRequest): string {
  return route === HUB_PATH ? body.replace(/hub\.topic=[^&]*/, 'hub.topic=none') : body;
}

/** Returns the text of a request to a route as sent over the wire. */
function wireText(route: RouteRequest): string {
  const { method, target, headers } = route;
  const body = withoutTopic(route);
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const fields = { host: '127.0.0.1', ...headers, connection: 'close', ...length };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

type Change = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const CHANGES: Record<string, Change> = {
  'changed bytes': (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let count = 1 + random.below(8); count > 0; count--) {
      copy[random.below(copy.length)] = random.below(256);
    }
    return copy;
  },
  'cut short': (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'without a part': (bytes, random) => {
    const [start, end] = part(bytes, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  'with a part repeated': (bytes, random) => {
    const [start, end] = part(bytes, random);
    const times = Array.from({ length: 1 + random.below(200) }, () => bytes.subarray(start, end));
    return Buffer.concat([bytes.subarray(0, end), ...times, bytes.subarray(end)]);
  },
  'with an odd value': (bytes, random) => {
    const odd = random.pick(ODD_TEXTS)(random);
    const sent = random.below(2) === 0 ? odd : encodeURIComponent(odd.toWellFormed());
    const values = [...bytes.toString('latin1').matchAll(/(?<=[=:/] ?)[^\s=&:/]+/g)];
    if (values.length === 0) return Buffer.from(sent);
    const { index, 0: value } = random.pick(values);
    const rest = bytes.subarray(index + value.length);
    return Buffer.concat([bytes.subarray(0, index), Buffer.from(sent), rest]);
  },
  'continued as another': (bytes, random, other) => {
    const [start] = part(other, random);
    return Buffer.concat([bytes.subarray(0, random.below(bytes.length)), other.subarray(start)]);
  },
  'before another': (bytes, _, other) => Buffer.concat([bytes, other]),
  'that are noise': (_, random) =>
    Buffer.from(Array.from({ length: 600 }, () => random.below(256))),
};
const KINDS = Object.keys(CHANGES);

function part(bytes: Buffer, random: Random): [start: number, end: number] {
  const start = random.below(bytes.length);
  return [start, start + 1 + random.below(Math.min(40, bytes.length - start))];
}

/** Values for any parameter, field, segment or header. */
const ODD_TEXTS: readonly ((random: Random) => string)[] = [
  () => '',
  () => '-1',
  () => '1e999',
  () => '٣',
  () => '2026-02-30',
  () => '9999-12-31',
  () => 'a\0b',
  () => '\ud800',
  () => '\u202e',
  () => '\u0130'.repeat(40),
  () => '%zz',
  () => '../../etc/passwd',
  () => '__proto__',
  () => '(a+)+$',
  () => `${'['.repeat(500)}{"a":null}`,
  (random) => 'a'.repeat(random.below(20_000)),
  (random) => String(random.next() * 10 ** random.below(40)),
  (random) => {
    const points = Array.from({ length: random.below(40) }, () => random.below(0x110000));
    return String.fromCodePoint(...points);
  },
];
