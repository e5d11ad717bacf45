import type { Kysely, Transaction } from 'kysely';
import { succession, type Published } from '../succession.ts';
import type { HubStore, HubTables } from './tables.ts';

/** A topic's content, as it is pushed. */
export interface Content {
  topicId: number;
  url: string;
  version: number;
  etag: string;
  /** Media type. */
  type: string;
  bytes: Buffer;
}

/** What an edition has for a topic. */
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

/** Content is written and read in pieces, so that a large one does not hold up everything else. */
const CHUNK_BYTES = 1024 * 1024;
/** So many versions of a topic are remembered with their time. */
const PUBLICATIONS = 1000;
/** Another replica may publish while this one writes or reads. */
const ATTEMPTS = 10;

/** The topics and their newest content. */
export class Topics {
  readonly #store: HubStore;

  constructor(store: HubStore) {
    this.#store = store;
  }

  /** Makes topics known. */
  async add(urls: readonly string[]): Promise<void> {
    await this.#store.db
      .insertInto('topic')
      .values(urls.map((url) => ({ url })))
      .onConflict((conflict) => conflict.column('url').doNothing())
      .execute();
  }

  /**
   * Publishes what an edition has, if it is another content than the last and takes its place. That
   * is one row, however many subscribers there are.
   */
  async offer(
    file: TopicFile,
    options: { fresh: boolean; graceMs: number },
  ): Promise<'published' | 'unchanged' | 'waiting'> {
    const offer = { ...options, etag: file.etag, editionTime: file.editionTime };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const known = await this.#published(this.#store.db, file.url);
      if (succession(known, offer, options.graceMs) === 'publish')
        await this.#write(known.id, file);
      const outcome = await this.#store.transaction(async (trx) => {
        const published = await this.#published(trx, file.url, true);
        const next = succession(published, offer, options.graceMs);
        if (next === 'wait') return 'waiting';
        if (next === 'publish' && !(await isWritten(trx, published.id, file))) return undefined;
        await this.#put(trx, published.id, file, next === 'publish');
        return next === 'publish' ? 'published' : 'unchanged';
      });
      if (outcome) return outcome;
    }
    throw new Error(`${file.url}: others published all the while`);
  }

  /** The newest content of a topic. */
  async newest(topicId: number): Promise<Content> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const topic = await this.#store.db
        .selectFrom('topic')
        .select(['url', 'version', 'etag', 'type', 'size'])
        .where('id', '=', topicId)
        .executeTakeFirstOrThrow();
      const { size, ...content } = topic;
      const bytes = await this.#read(topicId, topic.etag, size);
      if (bytes) return { topicId, ...content, bytes };
    }
    throw new Error(`topic ${topicId}: others published all the while`);
  }

  async #published(
    db: Kysely<HubTables>,
    url: string,
    lock = false,
  ): Promise<Published & { id: number }> {
    const query = db
      .selectFrom('topic')
      .select(['id', 'version', 'etag', 'edition_time as editionTime'])
      .select(['confirmed_at as confirmedAt', this.#store.now().as('now')])
      .where('url', '=', url);
    return (lock ? this.#store.locked(query) : query).executeTakeFirstOrThrow();
  }

  async #write(topicId: number, { etag, read }: TopicFile): Promise<void> {
    const bytes = await read();
    for (const [seq, start] of chunkStarts(bytes.length).entries()) {
      await this.#store.db
        .insertInto('topic_chunk')
        .values({
          topic_id: topicId,
          etag,
          seq,
          bytes: bytes.subarray(start, start + CHUNK_BYTES),
        })
        .onConflict((conflict) => conflict.columns(['topic_id', 'etag', 'seq']).doNothing())
        .execute();
    }
  }

  async #put(
    trx: Transaction<HubTables>,
    topicId: number,
    { etag, type, size, editionTime }: TopicFile,
    changed: boolean,
  ): Promise<void> {
    await trx
      .updateTable('topic')
      .set(({ eb, fn }) => ({
        version: eb('version', '+', changed ? 1 : 0),
        etag,
        type,
        size,
        edition_time: changed
          ? editionTime
          : fn.coalesce(
              eb.case().when('edition_time', '<', editionTime).then(editionTime).end(),
              'edition_time',
            ),
        confirmed_at: this.#store.now(),
      }))
      .where('id', '=', topicId)
      .execute();
    if (!changed) return;
    await this.#noteTime(trx, topicId);
    await trx
      .deleteFrom('topic_chunk')
      .where('topic_id', '=', topicId)
      .where('etag', '!=', etag)
      .execute();
  }

  async #noteTime(trx: Transaction<HubTables>, topicId: number): Promise<void> {
    await trx
      .insertInto('publication')
      .columns(['topic_id', 'version', 'published_at'])
      .expression(({ selectFrom }) =>
        selectFrom('topic')
          .select(['id', 'version', this.#store.now().as('published_at')])
          .where('id', '=', topicId),
      )
      .execute();
    await trx
      .deleteFrom('publication')
      .where('topic_id', '=', topicId)
      .where('version', '<=', ({ selectFrom, eb }) =>
        selectFrom('topic')
          .select(eb('version', '-', PUBLICATIONS).as('forgotten'))
          .where('id', '=', topicId),
      )
      .execute();
  }

  async #read(topicId: number, etag: string, size: number): Promise<Buffer | undefined> {
    const bytes = Buffer.allocUnsafe(size);
    for (const [seq, start] of chunkStarts(size).entries()) {
      const chunk = await this.#store.db
        .selectFrom('topic_chunk')
        .select('bytes')
        .where('topic_id', '=', topicId)
        .where('etag', '=', etag)
        .where('seq', '=', seq)
        .executeTakeFirst();
      if (!chunk) return undefined;
      bytes.set(chunk.bytes, start);
    }
    return bytes;
  }
}

/** Under the lock of the topic: whoever publishes another content removes these pieces. */
async function isWritten(
  trx: Transaction<HubTables>,
  topicId: number,
  { etag, size }: TopicFile,
): Promise<boolean> {
  const { written } = await trx
    .selectFrom('topic_chunk')
    .select(({ fn }) => fn.countAll<number>().as('written'))
    .where('topic_id', '=', topicId)
    .where('etag', '=', etag)
    .executeTakeFirstOrThrow();
  return written === chunkStarts(size).length;
}

function chunkStarts(size: number): number[] {
  return Array.from({ length: Math.ceil(size / CHUNK_BYTES) }, (_, index) => index * CHUNK_BYTES);
}
