import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { topicLinks } from '../../src/http.ts';
import type { Content } from './store/topics.ts';

/** A large content is signed in pieces, so that it does not hold up the event loop. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** The headers of a content distribution (contract, section 6; WebSub, section 7). */
export async function notificationHeaders(
  content: Content,
  secret: string | null,
): Promise<Record<string, string>> {
  const { origin, pathname } = new URL(content.url);
  return {
    'content-type': content.type,
    link: topicLinks(origin, pathname),
    etag: content.etag,
    'content-digest': contentDigest(content.etag),
    ...(secret !== null && { 'x-hub-signature': await signature(content.bytes, secret) }),
  };
}

/** RFC 9530, section 2. A strong ETag of an edition is the same digest in another alphabet. */
function contentDigest(etag: string): string {
  const digest = Buffer.from(etag.slice(1, -1), 'base64url').toString('base64');
  return `sha-256=:${digest}:`;
}

/** WebSub, section 7.1: HMAC of the body, keyed with the secret. */
async function signature(bytes: Buffer, secret: string): Promise<string> {
  const hmac = createHmac('sha256', secret);
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await nextTurn();
    hmac.update(bytes.subarray(start, start + PIECE_BYTES));
  }
  return `sha256=${hmac.digest('hex')}`;
}
