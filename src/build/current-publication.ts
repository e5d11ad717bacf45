import type { Publication } from './publication.ts';

/** Pages are bundled with a module of their own, so they share the publication through the process. */
const PLACE = Symbol.for('the publication that is built or shown');
const shared = globalThis as { [PLACE]?: Publication };

/** Makes a publication the one that {@link currentPublication} returns. */
export function setPublication(publication: Publication): void {
  shared[PLACE] = publication;
}

/**
 * Returns the publication that is built or shown. Pages import this from `virtual:publication`.
 *
 * @throws when the integration that reads content/ did not run, as in the sidecar
 */
export function currentPublication(): Publication {
  const publication = shared[PLACE];
  if (!publication)
    throw new Error('no publication: src/build/content-integration.ts must run first');
  return publication;
}
