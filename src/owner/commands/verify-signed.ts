import type { KeyObject } from 'node:crypto';
import { eachConcurrently } from '../../edition/each-concurrently.ts';
import { quoteDigest, strongETag } from '../../edition/etag.ts';
import { manifest, MANIFEST_FILE, type Resource } from '../../edition/manifest.ts';
import {
  isExpired,
  SIGNATURE_FILE,
  SignatureError,
  verifyEdition,
} from '../../edition/signature.ts';
import type { EditionSignature } from '../../schema/edition-signature.ts';
import { isUrl, placeOf, readBytes, ReadError } from '../../build/site-files.ts';
import { EDITION_PATH } from '../../paths.ts';

/** Outcome of a check of a published site. */
export interface CheckResult {
  issues: string[];
  /** Lines to print if there is no issue. */
  verified: string[];
}

/** Number of files that are read at a time. */
const CONCURRENCY = 8;
/** The encodings that hosts negotiate, and the ends of their files' names. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

/**
 * Checks from the outside that an edition is signed by one of the keys, is current, and that every
 * file is the one that was signed: plain, in each encoding that a browser may get, and by the names
 * of the encoded files.
 *
 * @param now milliseconds since 1970
 */
export async function verifySigned(
  site: string,
  keys: readonly KeyObject[],
  now: number,
): Promise<CheckResult> {
  const bytes = await readBytes(placeOf(site, MANIFEST_FILE));
  const signatureBytes = await readBytes(placeOf(site, SIGNATURE_FILE)).catch(() => undefined);
  let signature: EditionSignature;
  try {
    signature = verifyEdition(signatureBytes, bytes, keys);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return { issues: [error.message], verified: [] };
  }
  const { sequence, expires, rollback } = signature;
  const issues = isExpired(signature, now) ? [`the edition expired at ${expires}`] : [];
  const { resources } = manifest.parse(JSON.parse(bytes.toString()));
  const own = { path: EDITION_PATH, file: MANIFEST_FILE, etag: strongETag(bytes), encodings: {} };
  const forms = [...resources, own].flatMap((resource) =>
    isUrl(site) ? formsByUrl(site, resource) : formsInFolder(site, resource),
  );
  await eachConcurrently(forms, CONCURRENCY, async (form) => {
    const issue = await issueOf(form);
    if (issue) issues.push(`${form.name}: ${issue}`);
  });
  const why = rollback === null ? '' : `, an older one on purpose: ${rollback}`;
  const line = `signed as number ${sequence}, until ${expires}${why}; ${resources.length} files are as signed, in every encoding`;
  return { issues, verified: [line] };
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
    return etags.includes(strongETag(bytes)) ? undefined : 'is not the file that was signed';
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    // Hosts that answer so have no file of this name to serve.
    const isAbsent = error.status !== undefined || !isUrl(place);
    return optional && isAbsent ? undefined : 'cannot be read';
  }
}
