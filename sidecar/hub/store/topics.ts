import { sql } from 'kysely';
import type { Manifest, Resource } from '../../../src/edition/manifest.ts';
import { topicLinks } from '../../../src/http.ts';
import { TOPIC_PATHS } from '../../../src/paths.ts';
import { keptWith } from '../../../src/base/kept.ts';
import type { Logger } from '../../base/log.ts';
import type { Edition } from '../../edition/edition.ts';
import type { Parts, PartsOptions } from './parts.ts';
import { count, isAlive, rows, type HubStore, type Trx } from './tables.ts';

/** The parts of an edition that the hub uses. */
export type TopicEdition = Pick<Edition, 'digest' | 'manifest' | 'files'>;

/** A topic's file in an edition. */
export interface TopicFile {
  url: string;
  etag: string;
  /** Headers of every delivery. */
  headers: Record<string, string>;
  /** Reads its bytes, which the edition keeps in memory. */
  read(): Promise<Buffer>;
}

/** Returns the topics of an edition; editions of an older version lack that of the changes. */
export const topicFiles = keptWith(({ manifest, files }: TopicEdition): TopicFile[] =>
  TOPIC_PATHS.flatMap((path) => {
    const prepared = files.get(path);
    if (!prepared) return [];
    const { identity, resource } = prepared;
    const headers = contentHeaders(manifest, resource);
    const url = manifest.base_url + path;
    return { url, etag: resource.etag, headers, read: () => files.bytes(identity) };
  }),
);

/** Returns the headers of all deliveries of a topic (contract, section 6; WebSub, section 7). */
export function contentHeaders(
  { base_url: site }: Pick<Manifest, 'base_url'>,
  { path, type, etag }: Pick<Resource, 'path' | 'type' | 'etag'>,
): Record<string, string> {
  // A strong ETag quotes the SHA-256 of the content.
  const digest = Buffer.from(etag.slice(1, -1), 'base64url').toString('base64');
  return {
    'content-type': type,
    link: topicLinks(site, path),
    etag,
    'content-digest': `sha-256=:${digest}:`,
  };
}

export interface TopicsOptions extends PartsOptions {
  logger: Logger;
}

/** The topics and the newest content of each. */
export class Topics {
  readonly #options: TopicsOptions;
  readonly #parts: Pick<Parts, 'led' | 'confirm'>;
  /** The edition whose topics were last offered. */
  #offered: string | undefined;
  #since = 0;

  constructor(options: TopicsOptions, parts: Pick<Parts, 'led' | 'confirm'>) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Begins anew, because another process may have published meanwhile. */
  begin(): void {
    this.#since = this.#options.now();
    this.#offered = undefined;
  }

  /**
   * Offers an edition once, and publishes each topic whose content has changed. That writes one row a
   * topic, however many subscribers there are. An older edition is published only if no process
   * has had a newer one for a while.
   *
   * @returns true if the edition became the published one
   */
  async offer(edition: TopicEdition): Promise<boolean> {
    if (edition.digest === this.#offered) return false;
    const { logger, now, graceMs, store } = this.#options;
    const mayGoBack = now() - this.#since >= graceMs;
    const published = await store.transaction((trx) => this.#publish(trx, edition, mayGoBack));
    if (!published) return false;
    this.#offered = edition.digest;
    for (const topic of published) logger.log('info', 'published', { topic });
    if (published.length > 0) await store.notify();
    return true;
  }

  /** @returns the published topics; nothing if a newer edition was published before */
  async #publish(
    trx: Trx,
    edition: TopicEdition,
    mayGoBack: boolean,
  ): Promise<string[] | undefined> {
    await this.#options.store.advisoryLock(trx, 'the topics of the hub');
    const files = topicFiles(edition);
    const editionTime = Date.parse(edition.manifest.last_modified);
    const own = sql`url in (${sql.join(files.map(({ url }) => url))})`;
    const newer = sql`topic where ${own} and edition_time > ${editionTime}`;
    if ((await count(trx, newer)) > 0) {
      const led = await this.#parts.confirm(trx, mayGoBack ? this.#parts.led : []);
      if (led.size === 0) return undefined;
    }
    const published: { url: string }[] = [];
    for (const { url, etag } of files) {
      const statement = sql`insert into topic (url, version, etag, published_at)
        values (${url}, 1, ${etag}, ${this.#options.store.now()})
        on conflict (url) do update set version = topic.version + 1, etag = excluded.etag,
        published_at = excluded.published_at where topic.etag <> excluded.etag returning url`;
      published.push(...(await rows<{ url: string }>(trx, statement)));
    }
    await sql`update topic set edition_time = ${editionTime} where ${own}`.execute(trx);
    return published.map(({ url }) => url);
  }
}

/** A topic and the state of its subscribers. */
export interface TopicStatus {
  url: string;
  version: number;
  subscriptions: number;
  /** Unverified requests. */
  pending: number;
  /** Subscriptions that have not acknowledged the newest version. */
  owed: number;
  /** Milliseconds since the newest version was published; 0 if it is owed to nobody. */
  owedMs: number;
}

/** Returns every topic that there is, in the order they became known. */
export function topicStatus(store: HubStore): Promise<TopicStatus[]> {
  const own = sql`from subscription where topic_id = topic.id and ${isAlive(store)}`;
  const owed = sql`${own} and acknowledged < topic.version`;
  return rows(
    store.db,
    sql`select url, version, (select count(*) ${own}) as subscriptions,
      (select count(*) from intent where topic_id = topic.id and mode <> 'denied') as pending,
      (select count(*) ${owed}) as owed,
      case when exists (select 1 ${owed}) then ${store.now()} - published_at else 0 end as "owedMs"
      from topic order by id`,
  );
}
