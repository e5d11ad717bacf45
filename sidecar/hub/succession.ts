/** The last publication of a topic. */
export interface Published {
  /** 0 before the first content. */
  version: number;
  etag: string;
  /** Last-Modified of its edition, milliseconds since 1970. */
  editionTime: number;
  /** Last time that a replica had it in its edition; milliseconds since 1970, like `now`. */
  confirmedAt: number;
  now: number;
}

export interface Offer {
  etag: string;
  editionTime: number;
  /** True if the edition is new to the replica that offers it. */
  fresh: boolean;
}

/**
 * Decides what to do with a topic's content in one replica's edition. Replicas get a new edition at
 * different times, so a lagging one must not publish an older edition; yet an older edition
 * restored on purpose must be published. The difference is if any replica still has the newer one.
 *
 * @param graceMs milliseconds during which some replica is assumed to have the published edition
 */
export function succession(
  published: Published,
  offer: Offer,
  graceMs: number,
): 'confirm' | 'publish' | 'wait' {
  if (published.version === 0) return 'publish';
  if (published.etag === offer.etag) return 'confirm';
  if (offer.editionTime > published.editionTime) return 'publish';
  if (offer.editionTime === published.editionTime && offer.fresh) return 'publish';
  return published.now - published.confirmedAt >= graceMs ? 'publish' : 'wait';
}
