import type { Transaction } from 'kysely';
import { Shares, UNEXPIRED, type ClaimOptions } from './claims.ts';
import type { HubStore, HubTables } from './tables.ts';

type Trx = Transaction<HubTables>;

/** A place in the order of what is not tried; see the index `subscription_untried`. */
interface Place {
  tried: number;
  host: string;
}

const START: Place = { tried: -1, host: '' };

/**
 * Subscriptions whose topic has a version that was not tried with them, and that nobody holds.
 *
 * They are walked through by host, and what a host has beyond its share is stepped over and not
 * read: a hundred thousand of a busy host cost as much as one.
 */
export async function untriedIds(
  store: HubStore,
  trx: Trx,
  options: ClaimOptions,
): Promise<number[]> {
  const shares = new Shares(options);
  const topics = await trx.selectFrom('topic').select(['id', 'version']).orderBy('id').execute();
  for (const topic of topics) {
    let place: Place | undefined = START;
    while (!shares.isFull && (place = await placeAfter(trx, topic, place))) {
      if (!shares.isOpenTo(place.host)) continue;
      const rows = await rowsFrom(store, trx, topic, place, options.limit);
      shares.offer(rows);
      if (rows.length < options.limit) break;
      place = rows.at(-1)!;
    }
  }
  return shares.taken;
}

interface Topic {
  id: number;
  version: number;
}

/** Two questions, for SQLite reads through all that is equal when both columns are compared at once. */
async function placeAfter(
  trx: Trx,
  { id, version }: Topic,
  { tried, host }: Place,
): Promise<Place | undefined> {
  const places = trx
    .selectFrom('subscription')
    .select(['tried', 'host'])
    .where('topic_id', '=', id)
    .limit(1);
  const sameVersion = places.where('tried', '=', tried).where('host', '>', host).orderBy('host');
  const laterOne = places
    .where('tried', '>', tried)
    .where('tried', '<', version)
    .orderBy('tried')
    .orderBy('host');
  return (await sameVersion.executeTakeFirst()) ?? (await laterOne.executeTakeFirst());
}

function rowsFrom(
  store: HubStore,
  trx: Trx,
  topic: Topic,
  { tried, host }: Place,
  limit: number,
): Promise<(Place & { id: number })[]> {
  const now = store.now();
  const rows = trx
    .selectFrom('subscription')
    .select(['id', 'tried', 'host'])
    .where('topic_id', '=', topic.id)
    .where('tried', '<', topic.version)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('tried', 'host'), '>=', tuple(tried, host)))
    .where(({ or, eb }) => or([eb('claim', 'is', null), eb('due_at', '<=', now)]))
    .where(UNEXPIRED, '>', now)
    .orderBy('tried')
    .orderBy('host')
    .limit(limit);
  return store.unlocked(rows, 'subscription').execute();
}
