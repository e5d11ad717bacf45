import type { Generated } from 'kysely';
import type { Store } from '../../store/store.ts';

export type HubStore = Store<HubTables>;

/** The hub's tables. Times are milliseconds since 1970 by the database's clock. */
export interface HubTables {
  topic: TopicTable;
  subscription: SubscriptionTable;
  intent: IntentTable;
}

/** A topic as it was last published. Its content is in the edition that has this ETag. */
interface TopicTable {
  id: Generated<number>;
  url: string;
  /** Counts changes; 0 before the first content. */
  version: Generated<number>;
  etag: Generated<string>;
  /** Last-Modified of the edition that the content is from. */
  edition_time: Generated<number>;
  /** When a replica last had this content in its edition. */
  confirmed_at: Generated<number>;
  /** When this version was published. */
  published_at: Generated<number>;
}

/**
 * An active subscription. Its debt follows from versions: it is owed the topic's content while
 * `acknowledged` is less than the topic's version, and only then.
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
  /** Consecutive; more than 0 only while a version is owed. */
  failures: Generated<number>;
  /** When it may be delivered to again: after a failure, or when a claim ends. */
  due_at: Generated<number>;
  /** Fences deliveries: only an exchange that began under this token may say how it went. */
  claim: string | null;
  /** When the oldest version that failed was published; 0 while nothing has failed. */
  owed_since: Generated<number>;
}

/**
 * A question that the subscriber has yet to answer, or the notice that its subscription ended. Per
 * topic and callback at most one of each mode.
 */
interface IntentTable {
  /** In the order of the requests. */
  id: Generated<number>;
  topic_id: number;
  callback: string;
  host: string;
  mode: 'subscribe' | 'unsubscribe' | 'denied';
  secret: string | null;
  lease_seconds: number;
  /** Of the topic at the time of the request: what changes from then on is owed. */
  version: number;
  due_at: Generated<number>;
  claim: string | null;
  /** Network of the client that asked, for fairness among them. */
  client: Generated<string>;
  /** Exchanges that got no answer. */
  attempts: Generated<number>;
  /** Of a denial. */
  reason: Generated<string>;
}
