import { manifest } from '../edition/manifest.ts';
import { CACHE_REVALIDATED } from '../http.ts';
import { EDITION_KEY_PATH, EDITION_PATH, EDITION_SIGNATURE_PATH } from '../paths.ts';
import { editionSignature } from '../schema/edition-signature.ts';
import { documentResource } from './resource.ts';

// Written by `src/build`, once all other files are there. A cache that kept one of the first two
// longer than the other would show a signature of another edition.

export const EDITION = documentResource({
  id: 'getEdition',
  path: EDITION_PATH,
  tag: 'Service',
  title: 'Every file of the edition',
  description: 'Path, type, size, digest, headers and compressed forms of every file.',
  caching: CACHE_REVALIDATED,
  schemas: { edition: manifest },
});

export const EDITION_SIGNATURE = documentResource({
  id: 'getEditionSignature',
  path: EDITION_SIGNATURE_PATH,
  tag: 'Service',
  title: 'The signature of the edition',
  description:
    'Ed25519 over the digest of edition.json, a number that grows, and a time after which it is void; only of a site that signs its editions.',
  caching: CACHE_REVALIDATED,
  schemas: { 'edition-signature': editionSignature },
  isOptional: true,
});

export const EDITION_KEYS = documentResource({
  id: 'getEditionKeys',
  path: EDITION_KEY_PATH,
  tag: 'Service',
  title: 'The keys that sign editions',
  description: 'A JSON Web Key Set (RFC 7517); only of a site that signs its editions.',
  isOptional: true,
});
