import { sql } from 'kysely';
import { domainOf } from '../hosts.ts';
import type { Intent, Pair, Subscription } from '../subscription.ts';
import type { Secrets } from './secrets.ts';
import { rows, type HubStore, type Mode, type Trx } from './tables.ts';

/** The key of a subscription: a topic and a callback. */
export interface Key {
  topicId: number;
  callback: string;
}

/** Reads and writes what the state machine works on: a subscription with its requests. */
export class Pairs {
  readonly #store: HubStore;
  readonly #secrets: Secrets;

  constructor(store: HubStore, secrets: Secrets) {
    this.#store = store;
    this.#secrets = secrets;
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
        from intent where ${own} and mode <> 'denied' order by id ${this.#store.forUpdate}`,
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
      return;
    }
    const { topicId, callback } = key;
    const { expiresAt, acknowledged, failures } = after;
    const now = this.#store.now();
    if (!before) {
      const host = hostOf(callback);
      await sql`insert into subscription (topic_id, callback, host, domain, sealed_secret,
        expires_at, acknowledged, failures, answered_at)
        values (${topicId}, ${callback}, ${host}, ${domainOf(host)}, ${this.#seal(after)},
          ${expiresAt}, ${acknowledged}, ${failures}, ${now})`.execute(trx);
      return;
    }
    // A running delivery is signed with the former secret, so it does not count and is sent again.
    const secret =
      after.secret === before.secret
        ? sql``
        : sql`, sealed_secret = ${this.#seal(after)}, revision = revision + 1`;
    await sql`update subscription set expires_at = ${expiresAt}, acknowledged = ${acknowledged},
      failures = ${failures}, due_at = 0, strike_at = 0, answered_at = ${now} ${secret}
      where ${ofKey(key)}`.execute(trx);
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
