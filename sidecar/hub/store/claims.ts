import type { SelectQueryBuilder } from 'kysely';
import type { HubStore, HubTables } from './tables.ts';

/** How much a replica takes at once. */
export interface ClaimOptions {
  /** Rows. */
  limit: number;
  /** Rows of one callback host, so that a slow one does not hold what others could deliver. */
  perHost: number;
  /** Hosts that have enough to do. */
  busyHosts: readonly string[];
  /** How long the claim lasts. */
  claimMs: number;
}

/** So many rows are looked at for each that is taken. */
const LOOK_AHEAD = 4;

/** Rows that are due. */
export type DueQuery = SelectQueryBuilder<
  HubTables,
  'intent' | 'subscription' | 'topic',
  { id: number; host: string }
>;

/** The first of the rows that nobody else holds, but only so many a host. */
export async function fairly(
  store: HubStore,
  due: DueQuery,
  table: 'intent' | 'subscription',
  { limit, perHost, busyHosts }: ClaimOptions,
): Promise<number[]> {
  const rows = await store
    .unlocked(due, table)
    .$if(busyHosts.length > 0, (query) => query.where(`${table}.host`, 'not in', busyHosts))
    .limit(limit * LOOK_AHEAD)
    .execute();
  const places = new Map<string, number>();
  const taken: number[] = [];
  for (const { id, host } of rows) {
    const place = places.get(host) ?? 0;
    if (place >= perHost) continue;
    places.set(host, place + 1);
    taken.push(id);
    if (taken.length === limit) break;
  }
  return taken;
}
