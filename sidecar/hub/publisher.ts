import { TOPIC_PATHS } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import type { Edition } from '../edition/edition.ts';
import type { TopicFile, Topics } from './store/topics.ts';

/** The parts of an edition that the hub uses. */
export type TopicEdition = Pick<Edition, 'digest' | 'manifest' | 'files'>;

/** Returns the URLs of an edition's topics. */
export function topicUrls(edition: TopicEdition): string[] {
  return topicFiles(edition).map(({ url }) => url);
}

/** Returns the topics of an edition; one that an older version built has no changes. */
export function topicFiles({ manifest, files }: TopicEdition): TopicFile[] {
  return TOPIC_PATHS.flatMap((path) => {
    const prepared = files.get(path);
    if (!prepared) return [];
    const { identity, resource } = prepared;
    return {
      url: manifest.base_url + path,
      etag: resource.etag,
      type: resource.type,
      size: resource.size,
      editionTime: Date.parse(manifest.last_modified),
      read: () => files.bytes(identity),
    };
  });
}

export interface PublisherOptions {
  topics: Topics;
  /** Returns the current edition. */
  edition: () => TopicEdition;
  /** Looks for a newer edition. */
  refresh: () => Promise<unknown>;
  logger: Logger;
  /** Milliseconds from a ping to the look for a newer edition. */
  settleMs: number;
  /**
   * Milliseconds during which another replica is assumed to have the newer edition; 0 without
   * replicas.
   */
  graceMs: number;
  /** Origin of a former site, whose subscriptions are moved; '' for none. */
  movedFrom?: string;
}

/** Publishes the content of new editions. */
export class Publisher {
  readonly #options: PublisherOptions;
  /** The edition whose topics were last offered. */
  #offered: string | undefined;
  #ping: NodeJS.Timeout | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Offers the topics of the current edition; unchanged ones are not published. */
  async offer(): Promise<void> {
    const { edition, graceMs, logger, movedFrom = '', topics } = this.#options;
    const current = edition();
    const fresh = current.digest !== this.#offered;
    const files = topicFiles(current);
    const urls = files.map(({ url }) => url);
    await topics.add(urls);
    if (movedFrom !== '' && movedFrom !== current.manifest.base_url) {
      const moved = await topics.moveFrom(movedFrom, urls);
      if (moved > 0) logger.log('info', 'subscriptions moved', { from: movedFrom, moved });
    }
    let behind = false;
    for (const file of files) {
      const outcome = await topics.offer(file, { fresh, graceMs });
      if (outcome === 'published') logger.log('info', 'published', { topic: file.url });
      behind ||= outcome === 'waiting';
    }
    if (behind) logger.log('info', 'what is published is newer than the edition');
    this.#offered = current.digest;
  }

  /**
   * Looks for a newer edition soon, once for all pings until then.
   *
   * @param then runs afterwards
   */
  ping(then: () => Promise<void>): void {
    const { refresh, settleMs } = this.#options;
    this.#ping ??= setTimeout(async () => {
      this.#ping = undefined;
      await refresh();
      await then();
    }, settleMs);
  }

  /** Drops a pending ping. */
  close(): void {
    clearTimeout(this.#ping);
  }
}
