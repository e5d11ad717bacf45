import { Readable } from 'node:stream';
import type { H3Event } from 'h3';
import { parseDay } from '../../src/search/parameters.ts';
import { variantETag } from '../../src/edition/etag.ts';
import { dataHeaders, type HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE, SINCE_PATH } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import { bytesOf } from '../edition/since-listings.ts';
import { acceptedEncodings, MIN_BYTES, VARY } from './encodings.ts';
import { invalidDate } from './errors.ts';
import { serveFile, type Budget } from './files.ts';
import { endByCondition, respond, stream, type Answer } from './responses.ts';
import type { Compute } from './turns.ts';

const HEADERS: HeaderPairs = Object.entries(dataHeaders(JSON_TYPE));
/** Bytes of one write. Shorter pieces are joined, because a copy costs less than a write. */
const WRITE_BYTES = 64 * 1024;

/**
 * Serves `GET /api/reviews/since/{date}` (contract, section 4.6): a file, or the same bytes made
 * here.
 */
export function serveSince(
  event: H3Event,
  edition: Edition,
  text: string,
  overBudget: Budget,
  compute: Compute,
): Answer {
  const date = parseDay(text);
  if (date === undefined) return invalidDate();
  return (
    serveFile(event, edition, `${SINCE_PATH}/${date}`, overBudget) ??
    answer(event, edition, date, overBudget, compute)
  );
}

async function answer(
  event: H3Event,
  { since, lastModified }: Edition,
  date: string,
  overBudget: Budget,
  compute: Compute,
): Promise<Response> {
  const { headers } = event.req;
  const plain = since.body(date);
  const gzip = bytesOf(plain) >= MIN_BYTES && acceptsGzip(headers);
  const identity = await compute(() => since.etag(date));
  const etag = gzip ? variantETag(identity, 'gzip') : identity;
  const validators: HeaderPairs = [
    ['etag', etag],
    ['last-modified', new Date(lastModified * 1000).toUTCString()],
    VARY,
  ];
  const notModified = () => [...validators, ...HEADERS.slice(1)];
  const ended = endByCondition(event, { etag, lastModified }, notModified);
  if (ended) return ended;
  const pieces = gzip ? await since.gzip(date) : plain;
  const length = bytesOf(pieces);
  const all: HeaderPairs = [...validators, ...HEADERS, ['content-length', String(length)]];
  if (gzip) all.push(['content-encoding', 'gzip']);
  if (event.req.method === 'HEAD') return respond(200, all, null);
  const refused = overBudget(event, length);
  if (refused) return refused;
  return length <= WRITE_BYTES
    ? respond(200, all, Buffer.concat(pieces, length))
    : stream(200, all, Readable.from(writes(pieces), { objectMode: false }));
}

/** Cuts pieces into views of what one write sends. */
function* writes(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += WRITE_BYTES) {
      yield piece.subarray(at, at + WRITE_BYTES);
    }
  }
}

function acceptsGzip(headers: Headers): boolean {
  return acceptedEncodings(headers.get('accept-encoding')).includes('gzip');
}
