import { createHmac, type BinaryToTextEncoding } from 'node:crypto';
import { topicLinks } from '../../src/http.ts';
import { topicPath } from '../../src/paths.ts';
import type { Delivery } from './store/deliveries.ts';
import type { TopicFile } from './store/topics.ts';

/** Returns the headers of all deliveries of a content (contract, section 6; WebSub, section 7). */
export function contentHeaders({
  url,
  type,
  etag,
}: Pick<TopicFile, 'url' | 'type' | 'etag'>): Record<string, string> {
  const path = topicPath(url)!;
  const digest = Buffer.from(digestOf(etag), 'base64url').toString('base64');
  return {
    'content-type': type,
    link: topicLinks(url.slice(0, -path.length), path),
    etag,
    'content-digest': `sha-256=:${digest}:`,
  };
}

/** Returns the headers that sign a delivery, none without a secret. */
export function signatureHeaders(
  { secret, takenAt, version, etag }: Pick<Delivery, 'secret' | 'takenAt' | 'version' | 'etag'>,
  body: Buffer,
): Record<string, string> {
  if (secret === null) return {};
  const id = `${version}-${digestOf(etag)}`;
  const time = String(Math.floor(takenAt / 1000));
  return {
    'x-hub-signature': `sha256=${hmac('hex', secret, body)}`,
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${hmac('base64', webhookKey(secret), `${id}.${time}.`, body)}`,
  };
}

/** Returns what a strong ETag quotes: the SHA-256 of the content. */
function digestOf(etag: string): string {
  return etag.slice(1, -1);
}

/** Returns the key of Standard Webhooks: the bytes in base64 after `whsec_`, else the text. */
function webhookKey(secret: string): string | Buffer {
  const [, encoded] = /^whsec_(.+)$/.exec(secret) ?? [];
  return encoded === undefined ? secret : Buffer.from(encoded, 'base64');
}

function hmac(
  encoding: BinaryToTextEncoding,
  key: string | Buffer,
  ...parts: readonly (string | Buffer)[]
): string {
  const hash = createHmac('sha256', key);
  for (const part of parts) hash.update(part);
  return hash.digest(encoding);
}
