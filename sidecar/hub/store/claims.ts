import { sql, type SelectQueryBuilder } from 'kysely';
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

/** The plus keeps SQLite from searching by the lease, which nearly all have: it excludes nobody. */
export const UNEXPIRED = sql<number>`+subscription.expires_at`;

/** Takes what is offered, but only so much of a host. */
export class Shares {
  readonly taken: number[] = [];
  readonly #options: ClaimOptions;
  readonly #busy: ReadonlySet<string>;
  readonly #hosts = new Map<string, number>();

  constructor(options: ClaimOptions) {
    this.#options = options;
    this.#busy = new Set(options.busyHosts);
  }

  get isFull(): boolean {
    return this.taken.length >= this.#options.limit;
  }

  /** Whether a host may have more. */
  isOpenTo(host: string): boolean {
    return !this.#busy.has(host) && (this.#hosts.get(host) ?? 0) < this.#options.perHost;
  }

  offer(rows: readonly { id: number; host: string }[]): void {
    for (const { id, host } of rows) {
      if (this.isFull) return;
      if (!this.isOpenTo(host)) continue;
      this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
      this.taken.push(id);
    }
  }
}

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
  options: ClaimOptions,
): Promise<number[]> {
  const { busyHosts, limit } = options;
  const rows = await store
    .unlocked(due, table)
    .$if(busyHosts.length > 0, (query) => query.where(`${table}.host`, 'not in', busyHosts))
    .limit(limit * LOOK_AHEAD)
    .execute();
  const shares = new Shares(options);
  shares.offer(rows);
  return shares.taken;
}
