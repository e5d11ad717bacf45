import { join } from 'node:path';
import type { Generated, Kysely, RawBuilder } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { Store } from '../../store/store.ts';

export type HubStore = Store<HubTables>;

/** The subscriber confirms the first three; `denied` and `status` are notices. */
export type Mode = 'subscribe' | 'unsubscribe' | 'redeliver' | 'denied' | 'status';

/** The hub's tables. Times are milliseconds since 1970 by the database's clock. */
export interface HubTables {
  topic: TopicTable;
  subscription: SubscriptionTable;
  intent: IntentTable;
}

/** A topic as last published. Its content is in the edition with this ETag. */
interface TopicTable {
  id: Generated<number>;
  url: string;
  /** Counts changes; 0 before the first content. */
  version: Generated<number>;
  etag: Generated<string>;
  /** Last-Modified of the content's edition. */
  edition_time: Generated<number>;
  /** Last time that a replica had this content in its edition. */
  confirmed_at: Generated<number>;
  /** Time this version was published. */
  published_at: Generated<number>;
}

/**
 * An active subscription. The topic's content is pending for it while `acknowledged` is less than
 * the topic's version, and only then.
 */
interface SubscriptionTable {
  id: Generated<number>;
  topic_id: number;
  callback: string;
  /** Host name of the callback, for fairness among hosts. */
  host: string;
  /** Network of the address that it was verified at; empty if that is private or was not noted. */
  network: Generated<string>;
  /** Encrypted; see `Secrets`. */
  sealed_secret: string | null;
  expires_at: number;
  /** The version last acknowledged by a 2xx; initially the one at the time of the request. */
  acknowledged: number;
  /** Consecutive failures; above 0 only while a version is pending. */
  failures: Generated<number>;
  /** Time since which, or from which, a pending version may be delivered. */
  due_at: Generated<number>;
  /** Fences deliveries: only an exchange that began under this token may write its outcome. */
  claim: string | null;
  /** Time the oldest failed version was published; 0 while nothing has failed. */
  owed_since: Generated<number>;
  /** The deliveries since the last success: times and answers, such as `1780272000000 500,`. */
  attempts: Generated<string>;
}

/** A request to confirm with the subscriber, or a notice for it: one per mode and subscription. */
interface IntentTable {
  /** In request order. */
  id: Generated<number>;
  topic_id: number;
  callback: string;
  host: string;
  mode: Mode;
  sealed_secret: string | null;
  lease_seconds: number;
  /** The topic's version at the time of the request; later versions are delivered. */
  version: number;
  due_at: Generated<number>;
  claim: string | null;
  /** Network of the requesting client, for fairness among them. */
  client: Generated<string>;
  /** Exchanges without a response. */
  attempts: Generated<number>;
  /** Reason of a denial. */
  reason: Generated<string>;
}

/** Returns the file of the hub's state, without DATABASE_URL. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'hub.sqlite');
}

/** Opens the store of the settings. PostgreSQL's client is loaded only if it is used. */
export async function openHubStore(
  databaseUrl: string,
  dataDir: string,
  logger: Logger,
): Promise<HubStore> {
  if (databaseUrl === '') return openSqlite(storeFile(dataDir));
  const { openPostgres } = await import('../../store/postgres.ts');
  return openPostgres(databaseUrl, logger);
}

/** Ends every claim; their holders are gone. */
export async function endClaims({ db }: HubStore): Promise<void> {
  for (const table of ['subscription', 'intent'] as const) {
    const released = db.updateTable(table).set({ claim: null, due_at: 0 });
    await released.where('claim', 'is not', null).execute();
  }
}

/** Runs a statement and returns its rows. */
export async function rows<Row>(
  db: Pick<Kysely<never>, 'getExecutor'>,
  statement: RawBuilder<unknown>,
): Promise<Row[]> {
  return (await statement.execute(db)).rows as Row[];
}
