import { variantETag } from '../../src/edition/etag.ts';
import { ATOM_TYPE } from '../../src/paths.ts';
import type { Prepared, Representation } from '../edition/file-store.ts';

/**
 * The feed for somebody who opens it: the same bytes as plain XML, which browsers style. Chromium
 * shows `application/atom+xml` as text, whatever style sheet the feed names. Only a navigation asks
 * for a document (Fetch Metadata, section 2.1); feed readers and programs get the feed's own type.
 */
export function forReader(prepared: Prepared, headers: Headers): Prepared {
  const { resource, identity, encoded } = prepared;
  if (resource.type !== ATOM_TYPE || headers.get('sec-fetch-dest') !== 'document') return prepared;
  const documents = Object.entries(encoded).map(([name, each]) => [name, asDocument(each)]);
  return { resource, identity: asDocument(identity), encoded: Object.fromEntries(documents) };
}

function asDocument(feed: Representation): Representation {
  const etag = variantETag(feed.etag, 'xml');
  const own: Record<string, string> = { etag, 'content-type': 'application/xml' };
  const rename = ([name, value]: [string, string]): [string, string] => [name, own[name] ?? value];
  return {
    ...feed,
    etag,
    headers: feed.headers.map(rename),
    notModified: feed.notModified.map(rename),
  };
}
