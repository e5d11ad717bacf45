import { sha256, strongETag } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, type Resource } from '../../src/edition/manifest.ts';
import { bytesOf, exchange } from '../support/http.ts';
import type { Random } from '../support/random.ts';

/** Asks a service for one resource, without negotiation unless an encoding is given. */
async function get(origin: string, target: string, encoding?: string) {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  const answer = await exchange(origin, target, { headers });
  return { status: answer.status, etag: answer.headers.get('etag'), body: await bytesOf(answer) };
}

/**
 * Reads edition.json and resources of it, plain and encoded, and names every response that is not 200
 * with the bytes that edition.json describes.
 *
 * @param choose picks the resources to read
 */
export async function inconsistencies(
  origin: string,
  choose: (resources: readonly Resource[]) => readonly Resource[],
): Promise<string[]> {
  const itself = await get(origin, `/${MANIFEST_FILE}`);
  if (itself.status !== 200) return [`${MANIFEST_FILE} is ${itself.status}`];
  const wrong: string[] = [];
  if (itself.etag !== strongETag(itself.body)) wrong.push(MANIFEST_FILE);
  const { resources } = manifest.parse(JSON.parse(itself.body.toString()));
  for (const { path, etag, encodings } of choose(resources)) {
    const plain = await get(origin, path);
    const same = plain.etag === etag && strongETag(plain.body) === etag;
    if (plain.status !== 200 || !same) wrong.push(`${path} (${plain.status})`);
    for (const [encoding, { sha256: digest }] of Object.entries(encodings)) {
      const { status, body } = await get(origin, path, encoding);
      if (status !== 200 || sha256(body) !== digest) wrong.push(`${path} ${encoding} (${status})`);
    }
  }
  return wrong;
}

/** Chooses resources at random, a different set each time. */
export function some(random: Random, count: number) {
  return (resources: readonly Resource[]): Resource[] =>
    Array.from({ length: count }, () => random.pick(resources));
}
