import { HUB_PATH, MCP_PATH, SEARCH_PAGE_PATH, SEARCH_PATH, SINCE_PATH } from '../../src/paths.ts';
import { Random } from '../support/random.ts';
import { formBody, jsonBody } from './bodies.ts';
import { oddFraming, oddHeader, ODD_METHODS, ODD_TARGETS, ODD_TEXTS } from './oddities.ts';

/** The bytes sent on a connection, and how it must end. */
export interface FuzzRequest {
  kind: string;
  bytes: Buffer;
  /**
   * `answered`: the server responds and closes; `closed`: the server closes, with or without a
   * response; `left`: the client disconnects, and then the server closes.
   */
  ends: 'answered' | 'closed' | 'left';
}

/**
 * Returns the request of a number: the same for the same seed, whatever was sent before.
 *
 * @param paths targets, taken in turn
 */
export function fuzzRequest(seed: number, index: number, paths: readonly string[]): FuzzRequest {
  const random = new Random(Math.imul(seed, 1_000_003) + index);
  const kind = random.pick(NAMES);
  return { kind, ...KINDS[kind]!(random, paths[index % paths.length]!, paths) };
}

type Kind = (random: Random, path: string, paths: readonly string[]) => Omit<FuzzRequest, 'kind'>;
const KINDS: Record<string, Kind> = {
  'odd target': (random, path) => {
    const odd = random.pick(ODD_TARGETS)(random);
    return closed(head('GET', random.below(2) ? odd : path + odd));
  },
  'odd query': (random, path) => {
    const asked = random.pick([SEARCH_PATH, SEARCH_PAGE_PATH, path]);
    return answered(head('GET', `${asked}?${query(random)}`));
  },
  'odd day': (random) => {
    const day = encodeURIComponent(random.pick(ODD_TEXTS)(random).toWellFormed());
    return answered(head('GET', `${SINCE_PATH}/${day.slice(0, 4000)}`));
  },
  'odd method': (random, path) => closed(head(random.pick(ODD_METHODS), path)),
  'odd header': (random, path) => {
    const odd = Array.from({ length: 1 + random.below(3) }, () => oddHeader(random));
    return closed(head(random.pick(['GET', 'HEAD', 'OPTIONS']), path, odd));
  },
  'huge head': (random, path) => {
    const many = random.below(2) === 0;
    const lines = many
      ? Array.from({ length: 100 + random.below(3000) }, (_, at) => `X-${at}: ${at}`)
      : [`X-Long: ${'a'.repeat(random.below(200_000))}`];
    return closed(head('GET', path, lines));
  },
  'odd framing': (random) => {
    const body = random.pick([jsonBody, formBody])(random);
    const path = random.pick([MCP_PATH, HUB_PATH, SEARCH_PATH]);
    const lines = [...typeOf(path), ...oddFraming(random, body.length)];
    return left(head('POST', path, lines), body);
  },
  'odd JSON': (random) => posted(MCP_PATH, jsonBody(random)),
  'odd form': (random) => posted(HUB_PATH, formBody(random)),
  'body where none belongs': (random, path) => posted(path, jsonBody(random)),
  truncated: (random) => {
    const { bytes } = random.below(2)
      ? posted(MCP_PATH, jsonBody(random))
      : posted(HUB_PATH, formBody(random));
    return left(bytes.subarray(0, random.below(Math.min(bytes.length, 2000))));
  },
  pipelined: (random, _path, paths) => {
    const requests = Array.from({ length: 2 + random.below(18) }, () =>
      head(random.pick(['GET', 'HEAD', 'POST', 'BREW']), random.pick(paths), ['Content-Length: 0'])
        .toString('latin1')
        .replace('Connection: close\r\n', ''),
    );
    return left(Buffer.from(requests.join(''), 'latin1'));
  },
  'changed bytes': (random, path) => {
    // No topic of this hub is used, because a mutated callback could be someone's address.
    const body = Buffer.from('hub.mode=subscribe&hub.callback=https%3A%2F%2F127.0.0.1%2F');
    const { bytes } = random.below(3)
      ? answered(head('GET', `${path}?${query(random)}`))
      : posted(path, body);
    return left(changed(bytes, random));
  },
  noise: (random) => left(Buffer.from(Array.from({ length: 600 }, () => random.below(256)))),
};
const NAMES = Object.keys(KINDS);

/** Returns the head of a request, as Latin-1 so that it can contain any byte. */
function head(method: string, target: string, lines: readonly string[] = []): Buffer {
  const host = lines.some((line) => /^host:/i.test(line)) ? [] : ['Host: 127.0.0.1'];
  const all = [`${method} ${target} HTTP/1.1`, ...host, 'Connection: close', ...lines, '', ''];
  return Buffer.from(all.join('\r\n'), 'latin1');
}

function posted(path: string, body: Buffer): Omit<FuzzRequest, 'kind'> {
  const lines = [...typeOf(path), `Content-Length: ${body.length}`];
  return closed(head('POST', path, lines), body);
}

function typeOf(path: string): string[] {
  return path === HUB_PATH
    ? ['Content-Type: application/x-www-form-urlencoded']
    : ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
}

const PARAMETERS = [
  'rating',
  'min_rating',
  'since',
  'until',
  'query',
  'mentions_technician',
  'mentions_service',
  'limit',
  '__proto__',
  'constructor',
  '',
];

/** Returns a percent-encoded query, so that it reaches the service. */
function query(random: Random): string {
  const pairs = Array.from({ length: 1 + random.below(6) }, () => {
    const value = random.pick(ODD_TEXTS)(random);
    return [random.pick(PARAMETERS), value.slice(0, 900)];
  });
  return new URLSearchParams(pairs).toString();
}

function changed(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + random.below(8); count > 0; count--) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
}

const answered = (...parts: Buffer[]) =>
  ({ bytes: Buffer.concat(parts), ends: 'answered' }) as const;
const closed = (...parts: Buffer[]) => ({ bytes: Buffer.concat(parts), ends: 'closed' }) as const;
const left = (...parts: Buffer[]) => ({ bytes: Buffer.concat(parts), ends: 'left' }) as const;
