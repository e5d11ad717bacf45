import { TOPIC_PATHS } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import type { Edition } from '../edition/edition.ts';
import type { TopicFile, Topics } from './store/topics.ts';

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

  /**
   * Offers the topics of the current edition once; unchanged ones are not published.
   *
   * @returns true if one was published
   */
  async offer(): Promise<boolean> {
    const { edition, graceMs, logger, movedFrom = '', now, topics } = this.#options;
    const current = edition();
    if (current.digest === this.#offered) return false;
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
    return published.length > 0;
  }
}

/** The parts of an edition that the hub uses. */
export type TopicEdition = Pick<Edition, 'digest' | 'manifest' | 'files'>;

/** The topics of an edition, which never changes. */
const known = new WeakMap<TopicEdition['files'], readonly TopicFile[]>();

/** Returns the topics of an edition; an older version built none of the changes. */
export function topicFiles(edition: TopicEdition): readonly TopicFile[] {
  let files = known.get(edition.files);
  if (!files) {
    files = findFiles(edition);
    known.set(edition.files, files);
  }
  return files;
}

function findFiles({ manifest, files }: TopicEdition): TopicFile[] {
  return TOPIC_PATHS.flatMap((path) => {
    const prepared = files.get(path);
    if (!prepared) return [];
    const { identity, resource } = prepared;
    return {
      url: manifest.base_url + path,
      etag: resource.etag,
      type: resource.type,
      editionTime: Date.parse(manifest.last_modified),
      read: () => files.bytes(identity),
    };
  });
}
