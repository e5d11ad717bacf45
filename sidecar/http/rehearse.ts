import { mockEvent } from 'h3';
import { quoteDigest, sha256 } from '../../src/edition/etag.ts';
import type { Encoding, Resource } from '../../src/edition/manifest.ts';
import { SEARCH_PATH } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import { serveFile, type Budget } from './files.ts';
import type { Answer } from './responses.ts';
import { serveSearch } from './search.ts';
import { serveSince } from './since.ts';
import { AT_ONCE } from './turns.ts';

/** The bytes of a larger file are not sent for a rehearsal: clients would wait meanwhile. */
const SENT_BYTES = 500_000;

/**
 * Serves itself one resource of each kind in each of its encodings, a search and a listing.
 *
 * @throws when a response is not 200 with the bytes that edition.json describes
 */
export async function rehearse(edition: Edition): Promise<void> {
  const { resources } = edition.manifest;
  for (const resource of smallestOfEachKind(resources)) {
    const { path, size, etag, encodings } = resource;
    const serve = async (size: number, etag: string, encoding?: Encoding): Promise<void> => {
      const isSent = size <= SENT_BYTES;
      const request = event(path, encoding, isSent ? 'GET' : 'HEAD');
      const response = serveFile(request, edition, path, NO_BUDGET)!;
      await expect(path, response, isSent ? etag : undefined);
    };
    await serve(size, etag);
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      const { size, sha256 } = encodings[encoding]!;
      await serve(size, quoteDigest(sha256), encoding);
    }
  }
  await expect(SEARCH_PATH, serveSearch(event(`${SEARCH_PATH}?query=a`), edition, AT_ONCE));
  await expect('a listing', serveSince(event('/'), edition, '9999-12-31', NO_BUDGET, AT_ONCE));
}

const NO_BUDGET: Budget = () => undefined;

/** Resources with the same media type and headers are served in the same way. */
function smallestOfEachKind(resources: readonly Resource[]): Resource[] {
  const kinds = new Map<string, Resource>();
  for (const resource of resources) {
    const { type, headers, encodings } = resource;
    const kind = `${type} ${headers} ${Object.keys(encodings).join()}`;
    const known = kinds.get(kind);
    if (!known || resource.size < known.size) kinds.set(kind, resource);
  }
  return [...kinds.values()];
}

function event(path: string, encoding = 'identity', method: 'GET' | 'HEAD' = 'GET') {
  return mockEvent(`http://localhost${path}`, {
    method,
    headers: { 'accept-encoding': encoding },
  });
}

async function expect(name: string, pending: Answer, etag?: string): Promise<void> {
  const response = await pending;
  // Reading the headers and the body builds the response a client would get, and throws the errors
  // that sending it would.
  const sent = [...response.headers].length > 0 && Buffer.from(await response.arrayBuffer());
  if (response.status !== 200 || !sent) throw new Error(`${name} responds with ${response.status}`);
  if (etag !== undefined && quoteDigest(sha256(sent)) !== etag) {
    throw new Error(`${name} responds with other bytes than edition.json describes`);
  }
}
