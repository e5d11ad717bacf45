import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Session } from '../../store/store.ts';
import type { Schedule } from '../schedule.ts';
import { count, NONE, PARTS, rows, type HubStore, type Trx } from './tables.ts';

export interface PartsOptions {
  store: HubStore;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Milliseconds that an edition may take to reach all processes. */
  graceMs: number;
}

/**
 * Divides the work among the processes that share a store. Each callback host belongs to a part, and
 * the process that has locked a part leads it, for as long as its connection lives. The row of the part
 * names its last leader, and what another process writes late is refused.
 *
 * Each process shows the time of its edition, and those that have the newest divide the parts evenly. One
 * that is behind keeps its parts for a while, but takes none.
 */
export class Parts {
  /** Names this process. */
  readonly leader = randomInt(2 ** 47);
  readonly #options: PartsOptions;
  #session: Session | undefined;
  #led: ReadonlySet<number> = new Set();
  /** Locked parts that wait until nothing is under way, so that another process can have them. */
  #leaving: ReadonlySet<number> = new Set();
  #share = 0;
  #newestAt = -Infinity;

  constructor(options: PartsOptions) {
    this.#options = options;
  }

  /** The parts whose work may begin. */
  get led(): ReadonlySet<number> {
    return this.#led;
  }

  /**
   * Meets the other processes.
   *
   * @param seconds the time of the edition, since 1970
   * @throws if the connection is lost; then this process leads nothing
   */
  async meet(seconds: number): Promise<{ isNew: boolean; isBehind: boolean }> {
    const { store, now, graceMs } = this.#options;
    const isNew = this.#session === undefined;
    this.#session ??= await store.session();
    const { shown, own } = await this.#session.show(seconds).catch((error) => this.#fail(error));
    const newest = Math.max(...shown);
    const isBehind = shown[own] !== newest;
    if (!isBehind) this.#newestAt = now();
    const peers = shown.flatMap((time, place) => (time === newest ? [place] : []));
    const kept = now() - this.#newestAt < graceMs ? this.#led.size : 0;
    this.#share = isBehind ? kept : Math.floor((PARTS + peers.indexOf(own)) / peers.length);
    return { isNew, isBehind };
  }

  /**
   * Takes free parts up to the share of this process, and gives up each part beyond it once none of its
   * work is under way.
   *
   * @returns true if it took any
   */
  async divide(
    schedule: Pick<Schedule, 'tasksOf' | 'forget'>,
    share = this.#share,
  ): Promise<boolean> {
    const session = this.#session!;
    const isIdle = (part: number) => schedule.tasksOf(part) === 0;
    const locked = [...this.#led, ...this.#leaving].sort(
      (one, other) => schedule.tasksOf(one) - schedule.tasksOf(other),
    );
    const surplus = locked.splice(0, Math.max(0, locked.length - share));
    this.#led = new Set(locked);
    if (locked.length < PARTS) schedule.forget(this.#led);
    try {
      this.#leaving = new Set(surplus.filter((part) => !isIdle(part)));
      for (const part of surplus.filter(isIdle)) await session.unlock(part);
      const taken: number[] = [];
      for (let part = 0; part < PARTS && locked.length + taken.length < share; part++) {
        // What was under way when its lock was lost is settled before it is taken again.
        if (this.#led.has(part) || !isIdle(part)) continue;
        if (await session.lock(part)) taken.push(part);
      }
      await this.#sign([...locked, ...taken]);
      this.#led = new Set([...locked, ...taken]);
      return taken.length > 0;
    } catch (error) {
      return this.#fail(error);
    }
  }

  /**
   * Writes that this process leads the parts that it has locked. Besides new ones, these are parts that
   * another process has signed late: it was stopped between lock and signature, and lost the lock.
   */
  async #sign(parts: readonly number[]): Promise<void> {
    const { db } = this.#options.store;
    const others = sql`id in (${sql.join([NONE, ...parts])}) and leader <> ${this.leader}`;
    if ((await count(db, sql`part where ${others}`)) === 0) return;
    await sql`update part set leader = ${this.leader} where ${others}`.execute(db);
  }

  /** Returns the parts that this process leads, and goes on leading until the transaction ends. */
  async confirm(trx: Trx, parts: Iterable<number>): Promise<ReadonlySet<number>> {
    const statement = sql`select id from part where id in (${sql.join([NONE, ...parts])})
      and leader = ${this.leader} order by id ${this.#options.store.forShare}`;
    return new Set((await rows<{ id: number }>(trx, statement)).map(({ id }) => id));
  }

  /** Lets other processes lead at once. */
  async leave(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#led = new Set();
    this.#leaving = new Set();
    await session?.end();
  }

  async #fail(error: unknown): Promise<never> {
    await this.leave();
    throw error;
  }
}
