import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { eachConcurrently } from '../../base/each-concurrently.ts';
import { quoteDigest, strongETag } from '../../edition/etag.ts';
import { manifest, MANIFEST_FILE, type Resource } from '../../edition/manifest.ts';
import {
  isExpired,
  parsePublicKeys,
  SIGNATURE_FILE,
  SignatureError,
  verifyEdition,
} from '../../edition/signature.ts';
import { isAddress } from '../../edition/untrusted-origin.ts';
import {
  placeOf,
  readETag,
  ReadError,
  readIfThere,
  type ReadLimits,
} from '../../build/site-files.ts';
import { EDITION_KEY_PATH, EDITION_PATH } from '../../paths.ts';
import { deadline } from './published-site.ts';
import type { SiteCheck } from './site-check.ts';

/** Milliseconds for all files, and for the signature. */
const READ_MS = 33_000;
const READ_SIGNATURE_MS = 5_000;
const MAX_SIGNATURE_BYTES = 64 * 1024;
/** Number of files that are read at a time. */
const CONCURRENCY = 16;

/**
 * Checks from the outside that every file is the one that edition.json describes, plain and in each
 * encoding that a browser may get.
 *
 * @param limits allows so many times the usual time
 */
export async function checkFiles(
  site: string,
  manifestBytes: Uint8Array,
  limits = 1,
): Promise<SiteCheck> {
  const signal = deadline(READ_MS * limits, site);
  const { resources } = manifest.parse(JSON.parse(Buffer.from(manifestBytes).toString()));
  const own = {
    path: EDITION_PATH,
    file: MANIFEST_FILE,
    size: manifestBytes.length,
    etag: strongETag(manifestBytes),
    encodings: {},
  };
  const forms = [...resources, own].flatMap((resource) => formsOf(site, resource));
  const issues: string[] = [];
  await eachConcurrently(forms, CONCURRENCY, async (form) => {
    const issue = await issueOf(form, signal);
    if (issue) issues.push(`${form.name}: ${issue}`);
  });
  const verified = `${resources.length} files are as edition.json describes them, in every encoding`;
  return { of: 'files', issues: issues.sort(), verified };
}

/**
 * Checks that the edition is signed and current.
 *
 * @param keys the keys of which one must have signed the edition; by default those that the site itself names
 * @param now milliseconds since 1970
 */
export async function checkSignature(
  site: string,
  manifestBytes: Uint8Array,
  keys: readonly KeyObject[] | undefined,
  now: number,
): Promise<SiteCheck> {
  const limits = {
    maxBytes: MAX_SIGNATURE_BYTES,
    signal: deadline(READ_SIGNATURE_MS, site),
  };
  const bytes = await readIfThere(placeOf(site, SIGNATURE_FILE), limits);
  if (!bytes && !keys)
    return { of: 'signature', issues: [], verified: 'the edition is not signed' };
  try {
    const signature = verifyEdition(bytes, manifestBytes, keys ?? (await ownKeys(site, limits)));
    const { sequence, expires, rollback } = signature;
    const why = rollback === null ? '' : `, an older one on purpose: ${rollback}`;
    const whose = keys ? '' : ', by a key of its own: name the one that you know with --public-key';
    return {
      of: 'signature',
      issues: isExpired(signature, now) ? [`the edition expired at ${expires}`] : [],
      verified: `signed as number ${sequence}, until ${expires}${why}${whose}`,
    };
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return { of: 'signature', issues: [error.message], verified: '' };
  }
}

const keySetFile = z.object({ keys: z.array(z.object({ x: z.string() })) });

async function ownKeys(site: string, limits: ReadLimits): Promise<KeyObject[]> {
  const bytes = await readIfThere(placeOf(site, EDITION_KEY_PATH), limits);
  if (!bytes) return [];
  try {
    const { keys } = keySetFile.parse(JSON.parse(bytes.toString()));
    return parsePublicKeys(keys.map(({ x }) => x).join());
  } catch (cause) {
    throw new SignatureError(`${EDITION_KEY_PATH} is not a list of keys`, { cause });
  }
}

type Form = ReturnType<typeof formsOf>[number];

/** The encodings that hosts negotiate. */
const ENCODINGS = ['br', 'gzip'];

/** Returns the name that issues call each form, and the ETag of the bytes that are right. */
function formsOf(
  site: string,
  resource: Pick<Resource, 'path' | 'file' | 'size' | 'etag' | 'encodings'>,
) {
  const { path, size, etag } = resource;
  if (isAddress(site)) {
    const place = placeOf(site, path);
    return ['identity', ...ENCODINGS].map((encoding) => {
      const name = encoding === 'identity' ? path : `${path} as ${encoding}`;
      return { name, place, encoding, size, etag };
    });
  }
  const variants = Object.values(resource.encodings).map(({ file, size, sha256 }) => {
    return { file, size, etag: quoteDigest(sha256) };
  });
  return [resource, ...variants].map(({ file, size, etag }) => {
    return { name: `/${file}`, place: placeOf(site, file), encoding: 'identity', size, etag };
  });
}

async function issueOf(
  { place, encoding, size, etag }: Form,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const isRight =
      (await readETag(place, { encodings: encoding, maxBytes: size, signal })) === etag;
    return isRight ? undefined : 'is not the file that edition.json describes';
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ReadError) return 'cannot be read';
    throw error;
  }
}
