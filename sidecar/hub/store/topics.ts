import { sql, type RawBuilder } from 'kysely';
import { rows, type HubStore } from './tables.ts';

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

/**
 * Decides what to do with a topic's content in one replica's edition. Replicas get a new edition at
 * different times, so a lagging one must not publish an older edition; yet an older edition
 * restored on purpose must be published. The difference is if any replica still has the newer one.
 *
 * @param fresh true if the edition is new to the replica that offers it
 * @param graceMs milliseconds during which some replica is assumed to have the published edition
 */
export function succession(
  published: Published,
  offer: { etag: string; editionTime: number; fresh: boolean },
  graceMs: number,
): 'confirm' | 'publish' | 'wait' {
  if (published.version === 0) return 'publish';
  if (published.etag === offer.etag) return 'confirm';
  if (offer.editionTime > published.editionTime) return 'publish';
  if (offer.editionTime === published.editionTime && offer.fresh) return 'publish';
  return published.now - published.confirmedAt >= graceMs ? 'publish' : 'wait';
}

/** Longer than a request can take from the look at its topic to its row. */
const UNUSED_MS = 3_600_000;
const UNUSED = sql`(not exists (select 1 from subscription where topic_id = topic.id)
  and not exists (select 1 from intent where topic_id = topic.id))`;

function beginsWith(prefix: string): RawBuilder<unknown> {
  return sql`substr(url, 1, ${prefix.length}) = ${prefix}`;
}

/** The topics and the newest content of each. */
export class Topics {
  readonly #store: HubStore;

  constructor(store: HubStore) {
    this.#store = store;
  }

  /** Adds topics that are not there yet. */
  async add(urls: readonly string[]): Promise<void> {
    const values = sql.join(urls.map((url) => sql`(${url})`));
    await sql`insert into topic (url) values ${values} on conflict (url) do nothing`.execute(
      this.#store.db,
    );
  }

  /** Returns the topics that were published and have subscriptions. */
  published(): Promise<Topic[]> {
    return rows(
      this.#store.db,
      sql`select id, url, version, etag from topic where version > 0
        and exists (select 1 from subscription where topic_id = topic.id) order by id`,
    );
  }

  /** Returns the URLs with a beginning that have subscriptions or requests. */
  async inUse(prefix: string): Promise<string[]> {
    const found = await rows<{ url: string }>(
      this.#store.db,
      sql`select url from topic where ${beginsWith(prefix)} and not ${UNUSED} order by id`,
    );
    return found.map(({ url }) => url);
  }

  /** Removes topics with a beginning that nobody has asked for lately. */
  async dropUnused(prefix: string): Promise<void> {
    await sql`delete from topic where ${beginsWith(prefix)} and ${UNUSED}
      and confirmed_at < ${this.#store.now(-UNUSED_MS)}`.execute(this.#store.db);
  }

  /**
   * Publishes a topic's content from an edition, if it differs from the last one and supersedes it.
   * That writes one row, however many subscribers there are.
   */
  offer(
    { url, etag, editionTime }: TopicFile,
    { fresh, graceMs }: { fresh: boolean; graceMs: number },
  ): Promise<'published' | 'unchanged' | 'waiting'> {
    const now = this.#store.now();
    return this.#store.transaction(async (trx) => {
      const [known] = await rows<Published>(
        trx,
        sql`select version, etag, edition_time as "editionTime", confirmed_at as "confirmedAt",
          ${now} as now from topic where url = ${url} ${this.#store.forUpdate}`,
      );
      const next = succession(known!, { etag, editionTime, fresh }, graceMs);
      if (next === 'wait') return 'waiting';
      const time = next === 'publish' ? editionTime : Math.max(known!.editionTime, editionTime);
      const publication =
        next === 'publish'
          ? sql`version = version + 1, etag = ${etag}, published_at = ${now},`
          : sql``;
      await sql`update topic set ${publication} edition_time = ${time}, confirmed_at = ${now}
        where url = ${url}`.execute(trx);
      return next === 'publish' ? 'published' : 'unchanged';
    });
  }

  /**
   * Moves the subscriptions of a former site to the topics of the same paths, which are then owed,
   * and denies the rest.
   *
   * @param origin of the former site
   * @param urls the topics of this site
   */
  async moveFrom(origin: string, urls: readonly string[]): Promise<number> {
    return this.#store.transaction(async (trx) => {
      const former = await rows<{ id: number; url: string }>(
        trx,
        sql`select id, url from topic where substr(url, 1, ${origin.length + 1}) = ${`${origin}/`}
          and (id in (select topic_id from subscription) or id in (
            select topic_id from intent where mode <> 'denied'))`,
      );
      let moved = 0;
      for (const { id, url } of former) {
        const path = url.slice(origin.length);
        const heir = urls.find((one) => new URL(one).pathname === path);
        if (heir !== undefined) {
          const { numAffectedRows } =
            await sql`update subscription set topic_id = topic.id, claim = null,
            failures = 0, due_at = ${this.#store.now()}, owed_since = 0,
            acknowledged = case topic.version when 0 then 0 else topic.version - 1 end
            from topic where topic.url = ${heir} and subscription.topic_id = ${id}
            and callback not in (
              select other.callback from subscription as other where other.topic_id = topic.id
            )`.execute(trx);
          moved += Number(numAffectedRows);
        }
        const reason = `the site has moved: subscribe to ${heir ?? urls.join(' or ')}`;
        const columns = sql`topic_id, callback, host, 'denied', 0, 0, cast(${reason} as text)`;
        await sql`insert into intent (topic_id, callback, host, mode, lease_seconds, version, reason)
          select ${columns} from subscription where topic_id = ${id}
          union select ${columns} from intent where topic_id = ${id} and mode = 'subscribe'
          on conflict (topic_id, callback, mode) do nothing`.execute(trx);
        await sql`delete from intent where topic_id = ${id} and mode <> 'denied'`.execute(trx);
        await sql`delete from subscription where topic_id = ${id}`.execute(trx);
      }
      return moved;
    });
  }
}
