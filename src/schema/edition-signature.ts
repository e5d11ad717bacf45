import { z } from 'zod';

const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be a sha-256 in base64url');

/** The document at `/edition-signature.json`: which edition is the current one, until when. */
export const editionSignature = z
  .strictObject({
    format: z.literal(1),
    edition: digest.describe('SHA-256 of edition.json, base64url.'),
    sequence: z.int().min(1).describe('Grows with every edition; a reader takes no lower one.'),
    previous: digest.nullable().describe('SHA-256 of the edition.json before; null for the first.'),
    expires: z.iso.datetime({ precision: 0 }).describe('Taken by no reader after this time.'),
    rollback: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .describe('Why this edition is an older one on purpose; null for any other.'),
    key: digest.describe('Thumbprint (RFC 7638) of the key that signed it.'),
    signature: z
      .string()
      .regex(/^[A-Za-z0-9_-]{86}$/)
      .describe('Ed25519, base64url, over the canonical JSON (RFC 8785) of the other members.'),
  })
  .meta({ title: 'Edition signature' });
export type EditionSignature = z.infer<typeof editionSignature>;
