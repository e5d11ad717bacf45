/** What was last published of a topic. */
export interface Published {
  /** 0 before the first content. */
  version: number;
  etag: string;
  /** Last-Modified of its edition, milliseconds since 1970. */
  editionTime: number;
  /** When a replica last had it in its edition; milliseconds since 1970, as `now` is. */
  confirmedAt: number;
  now: number;
}

export interface Offer {
  etag: string;
  editionTime: number;
  /** Whether the edition is new to the replica that offers it. */
  fresh: boolean;
}

/**
 * What to do with a topic's content in the edition of one replica. Replicas take a new edition at
 * different moments, so one that is behind must not publish the past; yet an older edition that was
 * put back on purpose must be published. The difference is whether any replica still has the newer.
 *
 * @param graceMs for how long what was published is believed to be in some replica's edition
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
