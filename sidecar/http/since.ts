import { Readable } from 'node:stream';
import type { H3Event } from 'h3';
import { dayIn, dayNumber } from '../../src/base/days.ts';
import { countSince, sinceBody } from '../../src/dataset/since.ts';
import { quoteDigest, variantETag } from '../../src/edition/etag.ts';
import { dataHeaders, type HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE, SINCE_PATH } from '../../src/paths.ts';
import { keptWith } from '../../src/base/kept-with.ts';
import { Lru } from '../../src/base/lru.ts';
import { calendarDate } from '../../src/schema/primitives.ts';
import type { Edition } from '../edition/edition.ts';
import { encode, MIN_BYTES, preferredEncoding, respondEncoded, VARY } from './encodings.ts';
import type { Encoded } from './encodings.ts';
import { endByCondition, invalidDate, respond, type Answer } from './responses.ts';
import { serveFile, type Budget } from './files.ts';
import type { Compute } from './turns.ts';

const HEADERS: HeaderPairs = Object.entries(dataHeaders(JSON_TYPE));
/** Bytes of a listing that is copied into one piece, because a copy costs less than another write. */
const COPIED_BYTES = 64 * 1024;
/** Bytes of one write. They are a view of the reviews, so those that wait take no memory. */
const WRITE_BYTES = 1024 * 1024;
const KEPT_ETAGS = 256;
/** Bytes of compressed listings that are kept for the next who asks. */
const KEPT_BYTES = 8_000_000;

/** Results of each edition: ETags by day, and compressed listings by their ETag. */
const keptOf = keptWith(() => ({
  etags: new Lru<string>(KEPT_ETAGS),
  encoded: new Lru<Encoded>(KEPT_BYTES, ({ bytes }) => bytes.length),
}));

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
  // A site of files alone has them with that end, and may get a sidecar later.
  const { data: date } = calendarDate.safeParse(dayIn(text.replace(/\.json$/, ''), 'first'));
  if (date === undefined) return invalidDate();
  return (
    serveFile(event, edition, `${SINCE_PATH}/${date}`, overBudget) ??
    answer(event, edition, date, overBudget, compute)
  );
}

async function answer(
  event: H3Event,
  edition: Edition,
  date: string,
  overBudget: Budget,
  compute: Compute,
): Promise<Response> {
  const { lastModified, search } = edition;
  const { etags, encoded } = keptOf(edition);
  const pieces = sinceBody(search.lines, countSince(search.columns.days, dayNumber(date)), date);
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const identity = etags.find(date) ?? (await compute(() => etagOf(Buffer.concat(pieces))));
  etags.keep(date, identity);
  const encoding = size < MIN_BYTES ? undefined : preferredEncoding(event);
  const etag = encoding ? variantETag(identity, encoding) : identity;
  const validators: HeaderPairs = [
    ['etag', etag],
    ['last-modified', new Date(lastModified * 1000).toUTCString()],
  ];
  const notModified = () => [...validators, VARY, ...HEADERS.slice(1)];
  const ended = endByCondition(event, { etag, lastModified }, notModified);
  if (ended) return ended;
  const headers: HeaderPairs = [...validators, ...HEADERS];
  const made =
    encoding &&
    (encoded.find(etag) ?? (await compute(async () => encode(event, Buffer.concat(pieces)))));
  if (made) encoded.keep(etag, made);
  const refused = event.req.method === 'GET' && overBudget(event, made?.bytes.length ?? size);
  if (refused) return refused;
  if (made) return respondEncoded(event, 200, headers, made);
  headers.push(VARY, ['content-length', String(size)]);
  if (event.req.method === 'HEAD') return respond(200, headers, null);
  const isShort = size <= COPIED_BYTES;
  const body = isShort
    ? Buffer.concat(pieces, size)
    : Readable.from(writes(pieces), { objectMode: false });
  return respond(200, headers, body);
}

/** Returns the strong ETag of a listing, which is that of a file. It is hashed in another thread. */
async function etagOf(listing: Buffer<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', listing);
  return quoteDigest(Buffer.from(digest).toString('base64url'));
}

/** Cuts pieces into views of what one write sends. */
function* writes(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += WRITE_BYTES) {
      yield piece.subarray(at, at + WRITE_BYTES);
    }
  }
}
