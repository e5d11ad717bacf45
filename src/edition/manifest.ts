import { resolve, sep } from 'node:path';
import { z } from 'zod';
import { dataHeaders } from '../http.ts';
import {
  CONTRACT_TOPIC_PATHS,
  EDITION_PATH,
  EDITION_SIGNATURE_PATH,
  INSIGHTS_DIGEST_PATH,
  isSiteUrl,
  JSON_TYPE,
} from '../paths.ts';
import { tradeWords } from '../schema/trade.ts';
import { strongETag } from './etag.ts';
import { SIGNATURE_FILE } from './signature.ts';

/** Name of the manifest in the folder of an edition. */
export const MANIFEST_FILE = 'edition.json';

const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Only what `encodeURI` would write, and nothing that a browser would resolve to another path. */
const path = z
  .string()
  .max(1000)
  .refine(isOwnUrlPath, 'must be the path of a URL, percent-encoded and without dot segments')
  .describe('URL path, percent-encoded.');

const SEGMENT = String.raw`(?!\.)[^/\\\p{Cc}\p{Zl}\p{Zp}]{1,200}`;

/** The publisher of an edition names files in its folder: no way out of it and no hidden file. */
const file = z
  .string()
  .max(1000)
  .regex(
    new RegExp(String.raw`^(\.well-known/)?${SEGMENT}(/${SEGMENT})*$`, 'u'),
    'must be a path inside the folder',
  )
  .describe('Path inside the edition folder.');

/** A token and a value of visible ASCII (RFC 9110, sections 5.1 and 5.5); names in lower case. */
const headers = z.record(
  z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/, 'must be the name of a header, in lower case')
    .refine((name) => !OWN_HEADERS.has(name), 'is a header that the server states itself'),
  z
    .string()
    .max(8000)
    .regex(/^[\t\x20-\x7e]*$/, 'must be the value of a header'),
);

/** Framing, hop-by-hop fields, and what each response states of its own body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-ranges',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'x-request-id',
]);

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w.+-]+)*$/;

/** A precompressed file beside the plain one. */
export const variant = z.strictObject({
  file,
  size: z.int().min(0),
  sha256: digest,
});

export const resource = z.strictObject({
  path,
  file,
  type: z.string().max(200).regex(MEDIA_TYPE, 'must be a media type').describe('Media type.'),
  size: z.int().min(0).describe('Bytes, identity.'),
  etag: z
    .string()
    .regex(/^"[A-Za-z0-9_-]{43}"$/, 'must be a quoted sha-256')
    .describe('Strong: sha-256 of the identity bytes.'),
  headers: z.int().min(0).describe('Index into header_sets.'),
  encodings: z.partialRecord(z.enum(['br', 'gzip']), variant),
});
export type Resource = z.infer<typeof resource>;
export type Encoding = keyof Resource['encodings'];

const named = z.array(z.strictObject({ id: z.string(), names: z.array(z.string()) }));

const siteUrl = z
  .string()
  .refine(isSiteUrl, 'must be the address of a site, without a slash at the end');

/** The shape of `edition.json`: all that a build hands to a sidecar or a CDN. */
export const manifest = z
  .strictObject({
    format: z.literal(1),
    edition: z.string().regex(/^[\w.-]{1,64}$/),
    base_url: siteUrl,
    last_modified: z.iso.datetime({ precision: 0 }).describe('One time for all resources.'),
    updated_at: z.iso.datetime({ precision: 0 }),
    since: z
      .strictObject({ from: z.iso.date(), to: z.iso.date() })
      .refine(({ from, to }) => from <= to, 'must not end before it begins')
      .nullable()
      .describe('The days that have a file of their own; the sidecar answers the others.'),
    names: z
      .strictObject({
        technicians: named,
        services: named,
        aspects: named.default([]),
        problems: named.default([]),
        service_areas: named.default([]),
        topics: named.default([]),
      })
      .describe('The names that stand for an id in filters, its label first.'),
    site: tradeWords
      .extend({
        language: z.string().optional().describe('Of the pages, BCP 47.'),
        languages: z.array(z.string()).optional().describe('Further languages of the pages.'),
        menu: z.array(z.string()).describe('Paths of the sections that have content.'),
        files_only: z.literal(true).optional().describe('If nothing computes answers.'),
        sans: z.literal(true).optional().describe('If headings are set in sans serif too.'),
      })
      .optional()
      .describe('What pages that the sidecar renders share with the others.'),
    header_sets: z.array(headers).describe('Headers beside type, size and validators.'),
    resources: z.array(resource),
  })
  .superRefine((manifest, context) => {
    for (const message of contradictions(manifest)) context.addIssue(message);
  });
export type Manifest = z.infer<typeof manifest>;

/** The paths a sidecar needs: the topics of its hub, and the document its tools answer from. */
const NEEDED_PATHS = [...CONTRACT_TOPIC_PATHS, INSIGHTS_DIGEST_PATH];

/** Names each place where one part of a manifest does not fit another. */
function* contradictions({ header_sets: headerSets, resources }: ManifestShape): Generator<string> {
  const paths = new Set([EDITION_PATH, EDITION_SIGNATURE_PATH]);
  const files = new Set([MANIFEST_FILE, SIGNATURE_FILE]);
  for (const { path, file, headers, encodings } of resources) {
    if (headers >= headerSets.length) yield `${path}: header set ${headers} does not exist`;
    if (paths.has(path)) yield `${path} is listed twice`;
    paths.add(path);
    for (const name of [file, ...Object.values(encodings).map((variant) => variant.file)]) {
      if (files.has(name)) yield `the file ${name} is listed twice`;
      files.add(name);
    }
  }
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const parent = file.slice(0, end);
      if (files.has(parent)) yield `${file} is below the file ${parent}`;
    }
  }
  for (const path of NEEDED_PATHS) {
    if (!paths.has(path)) yield `${path} is missing`;
  }
}

type ManifestShape = Pick<Manifest, 'header_sets' | 'resources'>;

function isOwnUrlPath(path: string): boolean {
  try {
    return URL.parse(path, 'http://host')?.pathname === path && encodeURI(decodeURI(path)) === path;
  } catch {
    return false; // an invalid escape
  }
}

/**
 * Returns where a file of an edition is in a folder.
 *
 * @throws when the name leads out of the folder
 */
export function pathInside(folder: string, file: string): string {
  const root = resolve(folder);
  const path = resolve(root, file);
  if (!path.startsWith(root + sep)) throw new Error(`${JSON.stringify(file)} leads out of ${root}`);
  return path;
}

/** Returns the manifest with edition.json, which cannot name its own digest, and its signature as resources. */
export function withItself(manifest: Manifest, bytes: Buffer, signature?: Buffer): Manifest {
  const { 'content-type': type, ...headers } = dataHeaders(JSON_TYPE);
  const resource = (path: string, file: string, bytes: Buffer): Resource => ({
    path,
    file,
    type: type!,
    size: bytes.length,
    etag: strongETag(bytes),
    headers: manifest.header_sets.length,
    encodings: {},
  });
  return {
    ...manifest,
    header_sets: [...manifest.header_sets, headers],
    resources: [
      ...manifest.resources,
      resource(EDITION_PATH, MANIFEST_FILE, bytes),
      ...(signature ? [resource(EDITION_SIGNATURE_PATH, SIGNATURE_FILE, signature)] : []),
    ],
  };
}
