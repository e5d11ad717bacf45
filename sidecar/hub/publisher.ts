import type { Logger } from '../base/log.ts';
import type { Topics } from './store/topics.ts';
import { topicFiles, type TopicEdition } from './topic-files.ts';

export interface PublisherOptions {
  topics: Topics;
  /** Returns the current edition. */
  edition: () => TopicEdition;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Milliseconds for which a new leader publishes no older edition: its own may yet come. */
  graceMs: number;
  /** Origin of a former site, whose subscriptions are moved; '' for none. */
  movedFrom?: string;
}

/** Publishes the content of new editions, while this process leads. */
export class Publisher {
  readonly #options: PublisherOptions;
  /** The edition whose topics were last offered. */
  #offered: string | undefined;
  #ledSince = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Begins anew, because another process may have published meanwhile. */
  async begin(): Promise<void> {
    this.#ledSince = this.#options.now();
    this.#offered = undefined;
    await this.offer();
  }

  /** Offers the topics of the current edition once; unchanged ones are not published. */
  async offer(): Promise<void> {
    const { edition, graceMs, logger, movedFrom = '', now, topics } = this.#options;
    const current = edition();
    if (current.digest === this.#offered) return;
    const files = topicFiles(current);
    const urls = files.map(({ url }) => url);
    await topics.add(urls);
    if (movedFrom !== '' && movedFrom !== current.manifest.base_url) {
      const moved = await topics.moveFrom(movedFrom, urls);
      if (moved > 0) logger.log('info', 'subscriptions moved', { from: movedFrom, moved });
    }
    const mayGoBack = now() - this.#ledSince >= graceMs;
    const { published, isBehind } = await topics.offer(files, mayGoBack);
    for (const topic of published) logger.log('info', 'published', { topic });
    if (!isBehind) this.#offered = current.digest;
  }
}
