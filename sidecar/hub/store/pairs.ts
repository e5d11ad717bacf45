import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Intent, Pair, Subscription } from '../subscription.ts';
import type { Secrets } from './secrets.ts';
import { rows, type HubStore, type HubTables, type Mode } from './tables.ts';

export type Trx = Transaction<HubTables>;

/** The key of a subscription: a topic and a callback. */
export interface Key {
  topicId: number;
  callback: string;
}

/** Modes that inform the subscriber and need no challenge. */
export const NOTICES = sql`('denied', 'status')`;

/** Reads and writes what the state machine works on: a subscription with its requests. */
export class Pairs {
  readonly #store: HubStore;
  readonly #secrets: Secrets;
  readonly #onCount: (change: 1 | -1) => void;

  /** @param onCount called when a subscription was added or removed */
  constructor(store: HubStore, secrets: Secrets, onCount: (change: 1 | -1) => void) {
    this.#store = store;
    this.#secrets = secrets;
    this.#onCount = onCount;
  }

  /** Loads and locks a subscription with its requests; drops it if its lease expired. */
  async load(trx: Trx, key: Key): Promise<Pair> {
    await this.#store.advisoryLock(trx, `${key.topicId} ${key.callback}`);
    const own = ofKey(key);
    await sql`delete from subscription where ${own} and expires_at <= ${this.#store.now()}`.execute(
      trx,
    );
    const [subscription = null] = await rows<Subscription>(
      trx,
      sql`select sealed_secret as secret, expires_at as "expiresAt", acknowledged, failures
        from subscription where ${own} ${this.#store.forUpdate}`,
    );
    const intents = await rows<Intent>(
      trx,
      sql`select mode, sealed_secret as secret, lease_seconds as "leaseSeconds", version
        from intent where ${own} and mode not in ${NOTICES} order by id ${this.#store.forUpdate}`,
    );
    for (const row of [...intents, ...(subscription ? [subscription] : [])]) {
      row.secret = row.secret && this.#secrets.open(row.secret);
    }
    return { subscription, intents };
  }

  /** Writes the result of a transition. */
  async save(trx: Trx, key: Key, before: Pair, after: Pair, client: string): Promise<void> {
    await this.#saveSubscription(trx, key, before.subscription, after.subscription);
    for (const intent of before.intents) {
      if (!after.intents.includes(intent)) await remove(trx, key, intent.mode);
    }
    const { topicId, callback } = key;
    for (const intent of after.intents) {
      if (before.intents.includes(intent)) continue;
      await sql`insert into intent
        (topic_id, callback, host, mode, sealed_secret, lease_seconds, version, client)
        values (${topicId}, ${callback}, ${hostOf(callback)}, ${intent.mode}, ${this.#seal(intent)},
          ${intent.leaseSeconds}, ${intent.version}, ${client})`.execute(trx);
    }
  }

  async #saveSubscription(
    trx: Trx,
    key: Key,
    before: Pair['subscription'],
    after: Pair['subscription'],
  ): Promise<void> {
    if (after === before) return;
    if (!after) {
      await sql`delete from subscription where ${ofKey(key)}`.execute(trx);
      this.#onCount(-1);
      return;
    }
    const { topicId, callback } = key;
    const { expiresAt, acknowledged, failures } = after;
    const sealed = this.#seal(after);
    const now = this.#store.now();
    if (!before) {
      await sql`insert into subscription
        (topic_id, callback, host, sealed_secret, expires_at, acknowledged, failures, due_at)
        values (${topicId}, ${callback}, ${hostOf(callback)}, ${sealed}, ${expiresAt},
          ${acknowledged}, ${failures}, ${now})`.execute(trx);
      this.#onCount(1);
      return;
    }
    // A running delivery is signed with the former secret, so it is fenced off and sent again.
    const next =
      after.secret === before.secret
        ? sql`due_at = case when claim is null then ${now} else due_at end`
        : sql`due_at = ${now}, claim = ${randomUUID()}`;
    await sql`update subscription set sealed_secret = ${sealed}, expires_at = ${expiresAt},
      acknowledged = ${acknowledged}, failures = ${failures}, ${next} where ${ofKey(key)}`.execute(
      trx,
    );
  }

  /** Notes the network that a subscription was verified at. */
  async locate(trx: Trx, key: Key, network: string): Promise<void> {
    await sql`update subscription set network = ${network} where ${ofKey(key)}`.execute(trx);
  }

  #seal({ secret }: { secret: string | null }): string | null {
    return secret === null ? null : this.#secrets.seal(secret);
  }
}

function ofKey({ topicId, callback }: Key) {
  return sql`topic_id = ${topicId} and callback = ${callback}`;
}

/** Removes a request or a notice. */
export async function remove(trx: Trx, key: Key, mode: Mode): Promise<void> {
  await sql`delete from intent where ${ofKey(key)} and mode = ${mode}`.execute(trx);
}

/** Returns the canonical name of a host: lower case, without a final dot or brackets. */
export function hostOf(callback: string): string {
  return new URL(callback).hostname.replace(/^\[|\]$|\.$/g, '');
}
