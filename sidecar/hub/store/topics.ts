import { sql } from 'kysely';
import { topicPath } from '../../../src/paths.ts';
import type { Leader } from './leader.ts';
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
  /** Last-Modified of the edition, milliseconds since 1970. */
  editionTime: number;
  read(): Promise<Buffer>;
}

/** The topics and the newest content of each. */
export class Topics {
  readonly #store: HubStore;
  readonly #leader: Pick<Leader, 'confirm'>;

  constructor(store: HubStore, leader: Pick<Leader, 'confirm'>) {
    this.#store = store;
    this.#leader = leader;
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

  /**
   * Publishes what differs from the last content. That writes a row for each topic, however many
   * subscribers there are.
   *
   * @param mayGoBack false if an older edition is not published
   * @throws {NotLeaderError}
   */
  offer(
    files: readonly TopicFile[],
    mayGoBack: boolean,
  ): Promise<{ published: string[]; isBehind: boolean }> {
    return this.#store.transaction(async (trx) => {
      await this.#leader.confirm(trx);
      const known = await rows<Topic & { editionTime: number }>(
        trx,
        sql`select url, version, etag, edition_time as "editionTime" from topic`,
      );
      const published: string[] = [];
      let isBehind = false;
      for (const { url, etag, editionTime } of files) {
        const last = known.find((topic) => topic.url === url)!;
        const isOlder = last.version > 0 && editionTime < last.editionTime;
        if (isOlder && !mayGoBack) isBehind = true;
        else if (last.etag !== etag) {
          published.push(url);
          await sql`update topic set version = version + 1, etag = ${etag},
            published_at = ${this.#store.now()}, edition_time = ${editionTime}
            where url = ${url}`.execute(trx);
        } else if (last.editionTime !== editionTime) {
          await sql`update topic set edition_time = ${editionTime} where url = ${url}`.execute(trx);
        }
      }
      return { published, isBehind };
    });
  }

  /**
   * Moves the subscriptions of a former site to the topics of the same paths, which are then owed,
   * and denies the rest.
   *
   * @param origin of the former site
   * @param urls the topics of this site
   * @throws {NotLeaderError}
   */
  async moveFrom(origin: string, urls: readonly string[]): Promise<number> {
    return this.#store.transaction(async (trx) => {
      await this.#leader.confirm(trx);
      const former = await rows<{ id: number; url: string }>(
        trx,
        sql`select id, url from topic where substr(url, 1, ${origin.length + 1}) = ${`${origin}/`}
          and (id in (select topic_id from subscription) or id in (
            select topic_id from intent where mode <> 'denied'))`,
      );
      let moved = 0;
      for (const { id, url } of former) {
        const path = url.slice(origin.length);
        const heir = urls.find((one) => topicPath(one) === path);
        if (heir !== undefined) {
          const { numAffectedRows } = await sql`update subscription set topic_id = topic.id,
            failures = 0, released = 0, due_at = 0, strike_at = 0, owed_since = 0,
            acknowledged = case topic.version when 0 then 0 else topic.version - 1 end
            from topic where topic.url = ${heir} and subscription.topic_id = ${id}
            and callback not in (
              select other.callback from subscription as other where other.topic_id = topic.id
            )`.execute(trx);
          moved += Number(numAffectedRows);
        }
        const reason = `the site has moved: subscribe to ${heir ?? urls.join(' or ')}`;
        const columns = sql`topic_id, callback, host, 'denied', cast(${reason} as text)`;
        await sql`insert into intent (topic_id, callback, host, mode, reason)
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
