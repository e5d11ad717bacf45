import { createHmac } from 'node:crypto';
import { topicLinks } from '../../src/http.ts';
import { topicPath } from '../../src/paths.ts';
import type { TopicFile } from './store/topics.ts';

/** Returns the headers of all deliveries of a content (contract, section 6; WebSub, section 7). */
export function contentHeaders({
  url,
  type,
  etag,
}: Pick<TopicFile, 'url' | 'type' | 'etag'>): Record<string, string> {
  const path = topicPath(url)!;
  // A strong ETag quotes the SHA-256 of the content.
  const digest = Buffer.from(etag.slice(1, -1), 'base64url').toString('base64');
  return {
    'content-type': type,
    link: topicLinks(url.slice(0, -path.length), path),
    etag,
    'content-digest': `sha-256=:${digest}:`,
  };
}

/** Returns the header that signs a delivery, none without a secret. */
export function signatureHeaders(secret: string | null, body: Buffer): Record<string, string> {
  if (secret === null) return {};
  return { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}
