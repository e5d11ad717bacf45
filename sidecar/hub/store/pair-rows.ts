import type { Transaction } from 'kysely';
import type { Intent, Pair } from '../subscription.ts';
import type { HubStore, HubTables } from './tables.ts';

type Trx = Transaction<HubTables>;

/** One topic and one callback, as the rows name them. */
export interface PairKey {
  topicId: number;
  callback: string;
}

/** Reads a pair and keeps others from changing it. What is past its lease is gone. */
export async function loadPair(store: HubStore, trx: Trx, key: PairKey): Promise<Pair> {
  await store.alone(trx, `${key.topicId} ${key.callback}`);
  await trx
    .deleteFrom('subscription')
    .where('topic_id', '=', key.topicId)
    .where('callback', '=', key.callback)
    .where('expires_at', '<=', store.now())
    .execute();
  const subscriptions = trx
    .selectFrom('subscription')
    .select(['secret', 'expires_at as expiresAt', 'acknowledged', 'failures'])
    .where('topic_id', '=', key.topicId)
    .where('callback', '=', key.callback);
  const intents = trx
    .selectFrom('intent')
    .select(['mode', 'secret', 'lease_seconds as leaseSeconds', 'version'])
    .where('topic_id', '=', key.topicId)
    .where('callback', '=', key.callback)
    .orderBy('id');
  return {
    subscription: (await store.locked(subscriptions).executeTakeFirst()) ?? null,
    intents: await store.locked(intents).execute(),
  };
}

/** Writes what a transition made of a pair. */
export async function savePair(trx: Trx, key: PairKey, before: Pair, after: Pair): Promise<void> {
  await saveSubscription(trx, key, before.subscription, after.subscription);
  for (const intent of before.intents) {
    if (!after.intents.includes(intent)) await removeIntent(trx, key, intent);
  }
  for (const intent of after.intents) {
    if (!before.intents.includes(intent)) await addIntent(trx, key, intent);
  }
}

async function saveSubscription(
  trx: Trx,
  { topicId, callback }: PairKey,
  before: Pair['subscription'],
  after: Pair['subscription'],
): Promise<void> {
  if (after === before) return;
  if (!after) {
    await trx
      .deleteFrom('subscription')
      .where('topic_id', '=', topicId)
      .where('callback', '=', callback)
      .execute();
  } else if (!before) {
    const { secret, expiresAt, acknowledged, failures } = after;
    await trx
      .insertInto('subscription')
      .values({
        topic_id: topicId,
        callback,
        host: hostOf(callback),
        secret,
        expires_at: expiresAt,
        acknowledged,
        tried: acknowledged,
        failures,
      })
      .execute();
  } else {
    await trx
      .updateTable('subscription')
      .set({ secret: after.secret, expires_at: after.expiresAt })
      .where('topic_id', '=', topicId)
      .where('callback', '=', callback)
      .execute();
  }
}

async function removeIntent(
  trx: Trx,
  { topicId, callback }: PairKey,
  { mode }: Intent,
): Promise<void> {
  await trx
    .deleteFrom('intent')
    .where('topic_id', '=', topicId)
    .where('callback', '=', callback)
    .where('mode', '=', mode)
    .execute();
}

async function addIntent(trx: Trx, { topicId, callback }: PairKey, intent: Intent): Promise<void> {
  const { mode, secret, leaseSeconds, version } = intent;
  const host = hostOf(callback);
  await trx
    .insertInto('intent')
    .values({
      topic_id: topicId,
      callback,
      host,
      mode,
      secret,
      lease_seconds: leaseSeconds,
      version,
    })
    .execute();
}

function hostOf(callback: string): string {
  return new URL(callback).hostname;
}
