import type { H3Event } from 'h3';
import type { HeaderPairs } from '../../src/http.ts';
import { variantETag } from '../../src/edition/conditional.ts';
import { ATOM_TYPE } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import type { Prepared, Representation } from '../edition/file-store.ts';
import {
  acceptedEncodings,
  endByCondition,
  respond,
  respondSized,
  type Answer,
} from './responses.ts';

/** Counts bytes to send. @throws {RefusedWork} if they are over a limit */
export type ChargeBytes = (event: H3Event, bytes: number) => void;

/** Serves GET and HEAD of a file of the edition; returns undefined if the edition has none. */
export function serveFile(
  event: H3Event,
  edition: Edition,
  path: string,
  chargeBytes: ChargeBytes,
): Answer | undefined {
  const { headers } = event.req;
  const file = edition.files.get(path);
  if (!file) return undefined;
  // Range is defined for GET alone (RFC 9110, section 14.2).
  const range = event.req.method === 'GET' ? headers.get('range') : null;
  const chosen = asXmlForBrowsers(
    range === null ? preferred(file, event.req) : file.identity,
    file,
    headers,
  );
  const validators = { etag: chosen.etag, lastModified: edition.lastModified };
  const ended = endByCondition(event, validators, () => chosen.notModified);
  if (ended) return ended;
  // Only the same representation may be continued (RFC 9110, section 13.1.5).
  if (range !== null && (headers.get('if-range') ?? chosen.etag) === chosen.etag) {
    const partial = serveRange(event, edition, chosen, range, chargeBytes);
    if (partial) return partial;
  }
  if (event.req.method === 'GET') chargeBytes(event, chosen.size);
  return send(event, edition, chosen);
}

/** Returns the representation of a resource that a client prefers. */
function preferred({ identity, encoded }: Prepared, request: Request): Representation {
  for (const encoding of acceptedEncodings(request)) {
    const representation = encoded[encoding];
    if (representation) return representation;
  }
  return identity;
}

/**
 * Returns a feed as plain XML, with the same bytes, for a person who opens it: browsers apply its
 * style sheet, while Chromium shows `application/atom+xml` as text. Only a navigation requests a
 * document (Fetch Metadata, section 2.1); feed readers and programs get the feed's own type.
 */
function asXmlForBrowsers(
  chosen: Representation,
  { resource }: Prepared,
  headers: Headers,
): Representation {
  if (resource.type !== ATOM_TYPE || headers.get('sec-fetch-dest') !== 'document') return chosen;
  const etag = variantETag(chosen.etag, 'xml');
  const own: Record<string, string> = { etag, 'content-type': 'application/xml' };
  const replace = ([name, value]: [string, string]): [string, string] => [name, own[name] ?? value];
  return {
    ...chosen,
    etag,
    headers: chosen.headers.map(replace),
    notModified: chosen.notModified.map(replace),
  };
}

function serveRange(
  event: H3Event,
  { files }: Edition,
  chosen: Representation,
  header: string,
  chargeBytes: ChargeBytes,
): Answer | undefined {
  const range = parseRange(header, chosen.size);
  if (range === undefined) return undefined;
  if (range === 'unsatisfiable') {
    const size: HeaderPairs = [['content-range', `bytes */${chosen.size}`]];
    return respondSized(416, [...chosen.notModified, ...size], '');
  }
  const { start, end } = range;
  const partial: HeaderPairs = chosen.headers.map(([name, value]) =>
    name === 'content-length' ? [name, String(end - start + 1)] : [name, value],
  );
  partial.push(['content-range', `bytes ${start}-${end}/${chosen.size}`]);
  chargeBytes(event, end - start + 1);
  const bytes = files.cached(chosen)?.subarray(start, end + 1);
  return bytes
    ? respond(206, partial, bytes)
    : files.stream(chosen, range).then((body) => respond(206, partial, body));
}

function send(event: H3Event, { files }: Edition, chosen: Representation): Answer {
  if (event.req.method === 'HEAD') return respond(200, chosen.headers, null);
  const bytes = files.cached(chosen);
  if (bytes) return respond(200, chosen.headers, bytes);
  const read = files.isStreamed(chosen) ? files.stream(chosen) : files.bytes(chosen);
  return read.then((body) => respond(200, chosen.headers, body));
}

/** First and last byte, inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Parses one byte range (RFC 9110, section 14).
 *
 * @returns undefined if the header must be ignored (another unit, several ranges, malformed),
 *   `unsatisfiable` if no byte of the range exists
 */
function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = SINGLE_RANGE.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
