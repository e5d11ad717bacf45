import { succession, type Published } from '../succession.ts';
import type { HubStore } from './tables.ts';

/** A topic as last published. */
export interface Topic {
  id: number;
  url: string;
  version: number;
  etag: string;
}

/** A topic's file in an edition. */
export interface TopicFile {
  url: string;
  etag: string;
  /** Media type. */
  type: string;
  size: number;
  /** Last-Modified of the edition, milliseconds since 1970. */
  editionTime: number;
  read(): Promise<Buffer>;
}

/** The topics and the newest content of each. */
export class Topics {
  readonly #store: HubStore;

  constructor(store: HubStore) {
    this.#store = store;
  }

  /** Adds topics that are not there yet. */
  async add(urls: readonly string[]): Promise<void> {
    await this.#store.db
      .insertInto('topic')
      .values(urls.map((url) => ({ url })))
      .onConflict((conflict) => conflict.column('url').doNothing())
      .execute();
  }

  /** Returns every topic that was published. */
  published(): Promise<Topic[]> {
    return this.#store.db
      .selectFrom('topic')
      .select(['id', 'url', 'version', 'etag'])
      .where('version', '>', 0)
      .orderBy('id')
      .execute();
  }

  /**
   * Publishes a topic's content from an edition, if it differs from the last one and supersedes it.
   * That writes one row, however many subscribers there are.
   */
  async offer(
    { url, etag, editionTime }: TopicFile,
    { fresh, graceMs }: { fresh: boolean; graceMs: number },
  ): Promise<'published' | 'unchanged' | 'waiting'> {
    const now = this.#store.now();
    return this.#store.transaction(async (trx) => {
      const query = trx
        .selectFrom('topic')
        .select(['id', 'version', 'etag', 'edition_time as editionTime'])
        .select(['confirmed_at as confirmedAt', now.as('now')])
        .where('url', '=', url);
      const known: Published & { id: number } = await this.#store
        .locked(query)
        .executeTakeFirstOrThrow();
      const next = succession(known, { etag, editionTime, fresh }, graceMs);
      if (next === 'wait') return 'waiting';
      const changes =
        next === 'publish'
          ? { version: known.version + 1, etag, edition_time: editionTime, published_at: now }
          : { edition_time: Math.max(known.editionTime, editionTime) };
      await trx
        .updateTable('topic')
        .set({ ...changes, confirmed_at: now })
        .where('id', '=', known.id)
        .execute();
      return next === 'publish' ? 'published' : 'unchanged';
    });
  }
}
