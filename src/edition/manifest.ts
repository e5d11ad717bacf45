import { z } from 'zod';

const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const headers = z.record(z.string(), z.string());

/** Whoever publishes an edition names files of it, never a way out of the folder or a hidden file. */
const file = z
  .string()
  .regex(/^(?!\.(?!well-known\/)|.*\/\.|\/|.*\/\/)[^\\\0]+$/, 'must be a path inside the folder')
  .describe('Path inside the edition folder.');

/** A precompressed file beside the plain one. */
export const variant = z.strictObject({
  file,
  size: z.int().min(0),
  sha256: digest,
});

export const resource = z.strictObject({
  path: z.string().startsWith('/').describe('URL path, percent-encoded.'),
  file,
  type: z.string().describe('Media type.'),
  size: z.int().min(0).describe('Bytes, identity.'),
  etag: z.string().describe('Strong: sha-256 of the identity bytes.'),
  headers: z.int().min(0).describe('Index into header_sets.'),
  encodings: z.partialRecord(z.enum(['br', 'gzip']), variant),
});
export type Resource = z.infer<typeof resource>;
export type Encoding = keyof Resource['encodings'];

const named = z.array(z.strictObject({ id: z.string(), names: z.array(z.string()) }));

/** The shape of `edition.json`: all that a build hands to a sidecar or a CDN. */
export const manifest = z.strictObject({
  format: z.literal(1),
  edition: z.string(),
  base_url: z.url(),
  last_modified: z.iso.datetime({ precision: 0 }).describe('One time for all resources.'),
  updated_at: z.iso.datetime({ precision: 0 }),
  since: z
    .strictObject({ from: z.iso.date(), to: z.iso.date() })
    .nullable()
    .describe('The days that have a file of their own; the sidecar answers the others.'),
  names: z
    .strictObject({ technicians: named, services: named })
    .describe('The names that stand for an id in the mentions filters.'),
  header_sets: z.array(headers).describe('Headers beside type, size and validators.'),
  resources: z.array(resource),
});
export type Manifest = z.infer<typeof manifest>;

/** Where the manifest lies in the edition folder. */
export const MANIFEST_FILE = 'edition.json';
