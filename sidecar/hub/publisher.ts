import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { HubFullError } from './store/room.ts';
import type { TopicFile, Topics } from './store/topics.ts';
import {
  SEARCH_TOPICS,
  searchPrefix,
  topicFile,
  topicFiles,
  type TopicEdition,
} from './topic-files.ts';

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
    const offer = async (file: TopicFile): Promise<void> => {
      const outcome = await topics.offer(file, { fresh, graceMs });
      if (outcome === 'published') logger.log('info', 'published', { topic: file.url });
      behind ||= outcome === 'waiting';
    };
    for (const file of files) await offer(file);
    const prefix = searchPrefix(current.manifest.base_url);
    await topics.dropUnused(prefix);
    for (const url of await topics.inUse(prefix)) {
      const file = topicFile(current, url);
      if (file) await offer(file);
      await nextTurn(); // SQLite responds synchronously, and a search takes a while
    }
    if (behind) logger.log('info', 'what is published is newer than the edition');
    this.#offered = current.digest;
  }

  /**
   * Makes a search a topic, so that it has a version that a subscription can begin with.
   *
   * @throws {HubFullError} if there are as many as the hub takes
   */
  async addSearch(url: string): Promise<void> {
    const { edition, graceMs, topics } = this.#options;
    const current = edition();
    const inUse = await topics.inUse(searchPrefix(current.manifest.base_url));
    if (inUse.length >= SEARCH_TOPICS && !inUse.includes(url)) {
      throw new HubFullError('The hub has as many searches as it takes');
    }
    const file = topicFile(current, url);
    if (!file) return;
    await topics.add([url]);
    await topics.offer(file, { fresh: false, graceMs });
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
