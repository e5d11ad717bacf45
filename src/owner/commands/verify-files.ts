import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { eachConcurrently } from '../../edition/each-concurrently.ts';
import { quoteDigest, strongETag } from '../../edition/etag.ts';
import { manifest, MANIFEST_FILE, type Resource } from '../../edition/manifest.ts';
import {
  isExpired,
  parsePublicKeys,
  SIGNATURE_FILE,
  SignatureError,
  verifyEdition,
} from '../../edition/signature.ts';
import { isUrl, placeOf, readBytes, ReadError, readIfThere } from '../../build/site-files.ts';
import { EDITION_KEY_PATH, EDITION_PATH } from '../../paths.ts';

/** Outcome of one check of a published site. */
export interface SiteCheck {
  /** The part of the site that was checked, in a word. */
  of: string;
  /** A sentence for each difference. */
  issues: string[];
  /** The sentence that holds if there is no issue. */
  verified: string;
}

/** Number of files that are read at a time. */
const CONCURRENCY = 16;
/** The encodings that hosts negotiate, and the ends of their files' names. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

/**
 * Checks from the outside that every file is the one that edition.json describes: plain, in each
 * encoding that a browser may get, and by the names of the encoded files.
 */
export async function checkFiles(site: string, edition: Uint8Array): Promise<SiteCheck> {
  const { resources } = manifest.parse(JSON.parse(Buffer.from(edition).toString()));
  const own = { path: EDITION_PATH, file: MANIFEST_FILE, etag: strongETag(edition), encodings: {} };
  const forms = [...resources, own].flatMap((resource) =>
    isUrl(site) ? formsByUrl(site, resource) : formsInFolder(site, resource),
  );
  const issues: string[] = [];
  await eachConcurrently(forms, CONCURRENCY, async (form) => {
    const issue = await issueOf(form);
    if (issue) issues.push(`${form.name}: ${issue}`);
  });
  const verified = `${resources.length} files are as edition.json describes them, in every encoding`;
  return { of: 'files', issues: issues.sort(), verified };
}

/**
 * Checks that the edition is signed and current.
 *
 * @param keys one of them has to have signed it; without any, one that the site itself names
 * @param now milliseconds since 1970
 */
export async function checkSignature(
  site: string,
  edition: Uint8Array,
  keys: readonly KeyObject[] | undefined,
  now: number,
): Promise<SiteCheck> {
  const bytes = await readIfThere(placeOf(site, SIGNATURE_FILE));
  if (!bytes && !keys)
    return { of: 'signature', issues: [], verified: 'the edition is not signed' };
  try {
    const signature = verifyEdition(bytes, edition, keys ?? (await ownKeys(site)));
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

async function ownKeys(site: string): Promise<KeyObject[]> {
  const bytes = await readIfThere(placeOf(site, EDITION_KEY_PATH));
  if (!bytes) return [];
  const { keys } = keySetFile.parse(JSON.parse(bytes.toString()));
  return parsePublicKeys(keys.map(({ x }) => x).join());
}

/** One way to read a resource. */
interface Form {
  /** As issues call it. */
  name: string;
  place: string;
  /** The Accept-Encoding. */
  encoding: string;
  /** ETags of the bytes that are right. */
  etags: string[];
  /** True if there need not be such a file. */
  optional: boolean;
}

type Described = Pick<Resource, 'path' | 'file' | 'etag' | 'encodings'>;

function formsByUrl(site: string, { path, etag, encodings }: Described): Form[] {
  const negotiated = ['identity', ...Object.keys(ENCODINGS)].map((encoding) => ({
    name: encoding === 'identity' ? path : `${path} as ${encoding}`,
    place: placeOf(site, path),
    encoding,
    etags: [etag],
    optional: false,
  }));
  // A host may know the encoding by the name, and say so: then the answer is decoded.
  const named = Object.values(encodings).map(({ file, sha256 }) => ({
    name: `/${file}`,
    place: placeOf(site, file.split('/').map(encodeURIComponent).join('/')),
    encoding: 'identity',
    etags: [quoteDigest(sha256), etag],
    optional: true,
  }));
  return [...negotiated, ...named];
}

/** Hosts serve an encoded file that they find beside a plain one, so there must be no other. */
function formsInFolder(site: string, { file, etag, encodings }: Described): Form[] {
  const inFolder = (name: string, etags: string[], optional: boolean): Form => ({
    name: `/${name}`,
    place: placeOf(site, name),
    encoding: 'identity',
    etags,
    optional,
  });
  const listed = Object.values(encodings);
  const names = new Set(listed.map((variant) => variant.file));
  return [
    inFolder(file, [etag], false),
    ...listed.map((variant) => inFolder(variant.file, [quoteDigest(variant.sha256)], false)),
    ...Object.values(ENCODINGS)
      .map((end) => file + end)
      .filter((name) => !names.has(name))
      .map((name) => inFolder(name, [], true)),
  ];
}

async function issueOf({ place, encoding, etags, optional }: Form): Promise<string | undefined> {
  try {
    const bytes = await readBytes(place, encoding);
    return etags.includes(strongETag(bytes))
      ? undefined
      : 'is not the file that edition.json describes';
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    // Hosts that answer so have no file of this name to serve.
    const isAbsent = error.status !== undefined || !isUrl(place);
    return optional && isAbsent ? undefined : 'cannot be read';
  }
}
