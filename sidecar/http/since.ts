import type { H3Event } from 'h3';
import { dayIn, dayNumber } from '../../src/base/days.ts';
import { countSince, sinceBody } from '../../src/dataset/since.ts';
import { quoteDigest } from '../../src/edition/etag.ts';
import { dataHeaders, type HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE, SINCE_PATH } from '../../src/paths.ts';
import { keptWith, Lru } from '../../src/base/kept.ts';
import { calendarDate } from '../../src/schema/primitives.ts';
import type { Edition } from '../edition/edition.ts';
import { answerVariant, compressBody, variantFor } from './computed.ts';
import { invalidDate, totalLength, type Answer } from './responses.ts';
import { serveFile, type ChargeBytes } from './files.ts';
import type { Compute } from './turns.ts';

const HEADERS: HeaderPairs = Object.entries(dataHeaders(JSON_TYPE));
const KEPT_ETAGS = 256;
/** Bytes of compressed listings that are kept for later requests. */
const KEPT_BYTES = 8_000_000;

/** Results of each edition: ETags by day, and compressed listings by their ETag. */
const keptOf = keptWith(() => ({
  etags: new Lru<string>(KEPT_ETAGS),
  encoded: new Lru<Buffer>(KEPT_BYTES, ({ length }) => length),
}));

/** Serves `GET /api/reviews/since/{date}` (contract, section 4.6): a file, or the same bytes made here. */
export function serveSince(
  event: H3Event,
  edition: Edition,
  text: string,
  chargeBytes: ChargeBytes,
  compute: Compute,
): Answer {
  // A site of files alone names its listings with `.json`, and may get a sidecar later.
  const { data: date } = calendarDate.safeParse(dayIn(text.replace(/\.json$/, ''), 'first'));
  if (date === undefined) return invalidDate();
  return (
    serveFile(event, edition, `${SINCE_PATH}/${date}`, chargeBytes) ??
    answer(event, edition, date, chargeBytes, compute)
  );
}

async function answer(
  event: H3Event,
  edition: Edition,
  date: string,
  chargeBytes: ChargeBytes,
  compute: Compute,
): Promise<Response> {
  await edition.index();
  const { lastModified, search } = edition;
  const { etags, encoded } = keptOf(edition);
  const pieces = sinceBody(search.lines, countSince(search.columns.days, dayNumber(date)), date);
  const etag = etags.find(date) ?? (await compute(() => etagOf(Buffer.concat(pieces))));
  etags.keep(date, etag);
  const known = { etag, lastModified, size: totalLength(pieces) };
  const variant = variantFor(event, HEADERS, known);
  if (variant instanceof Response) return variant;
  const { encoding } = variant;
  const compressed = async () => compressBody(Buffer.concat(pieces), encoding!);
  const made = encoding && (encoded.find(variant.etag) ?? (await compute(compressed)));
  if (made) encoded.keep(variant.etag, made);
  const sent = made ? [made] : pieces;
  if (event.req.method === 'GET') chargeBytes(event, totalLength(sent));
  return answerVariant(variant, sent);
}

/** Returns the strong ETag of a listing, which is that of a file. It is hashed in another thread. */
async function etagOf(listing: Buffer<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', listing);
  return quoteDigest(Buffer.from(digest).toString('base64url'));
}
