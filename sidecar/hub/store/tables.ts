import type { Generated } from 'kysely';
import type { Store } from '../../store/store.ts';

export type HubStore = Store<HubTables>;

/** The hub's tables. Times are milliseconds since 1970 by the database's clock. */
export interface HubTables {
  topic: TopicTable;
  topic_chunk: TopicChunkTable;
  publication: PublicationTable;
  subscription: SubscriptionTable;
  intent: IntentTable;
}

/** A topic as it was last published. */
interface TopicTable {
  id: Generated<number>;
  url: string;
  /** Counts changes; 0 before the first content. */
  version: Generated<number>;
  etag: Generated<string>;
  type: Generated<string>;
  size: Generated<number>;
  /** Last-Modified of the edition that the content is from. */
  edition_time: Generated<number>;
  /** When a replica last saw this content in its edition. */
  confirmed_at: Generated<number>;
}

/** A piece of a topic's content. Pieces keep a large content from holding up everything else. */
interface TopicChunkTable {
  topic_id: number;
  etag: string;
  seq: number;
  bytes: Uint8Array;
}

/** When a version was published; only the last of them are kept. */
interface PublicationTable {
  topic_id: number;
  version: number;
  published_at: number;
}

/**
 * An active subscription. What it is owed follows from versions: it is owed the topic's content
 * while `acknowledged` is less than the topic's version, and only then.
 */
interface SubscriptionTable {
  id: Generated<number>;
  topic_id: number;
  callback: string;
  /** Host name of the callback, for fairness among hosts. */
  host: string;
  secret: string | null;
  expires_at: number;
  /** The version last acknowledged by a 2xx; at first the one at the time of the request. */
  acknowledged: number;
  /** The version last claimed for a delivery. */
  tried: number;
  /** Consecutive. */
  failures: Generated<number>;
  /** When `tried` may be claimed again: after a failure the retry, during a claim its end. */
  due_at: Generated<number>;
  /** Fences whoever delivers: only who holds the token may say how it went. */
  claim: string | null;
}

/** A request that waits to be verified. Per topic and callback at most one of each mode. */
interface IntentTable {
  /** In the order of the requests. */
  id: Generated<number>;
  topic_id: number;
  callback: string;
  host: string;
  mode: 'subscribe' | 'unsubscribe';
  secret: string | null;
  lease_seconds: number;
  /** Of the topic at the time of the request: what changes from then on is owed. */
  version: number;
  due_at: Generated<number>;
  claim: string | null;
}
