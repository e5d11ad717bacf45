type Task = () => Promise<void>;

/** Verifications go before deliveries, which may be many. */
export type Kind = 'verification' | 'delivery';

interface Lane {
  host: string;
  active: number;
  waiting: Record<Kind, Task[]>;
}

export interface LanesOptions {
  /** Tasks at once for one host. */
  perHost: number;
  /** Tasks at once in all. */
  total: number;
  /** Called when a host, or all of them, can take more. */
  onSpace: () => void;
}

/** A host with this many waiting tasks of a kind is given no more of it. */
const BUSY: Record<Kind, number> = { verification: 4, delivery: 128 };
/** Below this many hosts that only wait for a free place, more may be taken in. */
const ENOUGH_READY = 64;

/** In one turn of the event loop: each may begin with a handshake, which holds up everything else. */
const BEGUN_AT_ONCE = 8;

/** Runs tasks, a few a host and so many in all; a slow host holds up nobody but itself. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that could begin a task if there were a free place, each once. */
  readonly #ready = new Set<Lane>();
  #active = 0;
  #turn: NodeJS.Immediate | undefined;
  #idle: (() => void)[] = [];

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** @param task does not throw */
  add(host: string, kind: Kind, task: Task): void {
    let lane = this.#lanes.get(host);
    if (!lane) {
      lane = { host, active: 0, waiting: { verification: [], delivery: [] } };
      this.#lanes.set(host, lane);
    }
    lane.waiting[kind].push(task);
    if (lane.active < this.#options.perHost) this.#ready.add(lane);
    this.#beginSoon();
  }

  /** Whether more would only wait. */
  get full(): boolean {
    return this.#ready.size >= ENOUGH_READY;
  }

  busyHosts(kind: Kind): string[] {
    return [...this.#lanes.values()]
      .filter(({ waiting }) => waiting[kind].length >= BUSY[kind])
      .map(({ host }) => host);
  }

  get isIdle(): boolean {
    return this.#lanes.size === 0;
  }

  /** Resolves when nothing is under way and nothing waits. */
  async idle(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #beginSoon(): void {
    if (this.#turn) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#begin();
    });
  }

  #begin(): void {
    const wasFull = this.full;
    let hasSpace = false;
    let begun = 0;
    for (const lane of this.#ready) {
      if (this.#active === this.#options.total) break;
      if (begun++ === BEGUN_AT_ONCE) {
        this.#beginSoon();
        break;
      }
      this.#ready.delete(lane);
      const { waiting } = lane;
      const kind = waiting.verification.length > 0 ? 'verification' : 'delivery';
      const task = waiting[kind].shift()!;
      hasSpace ||= waiting[kind].length === BUSY[kind] - 1;
      lane.active++;
      this.#active++;
      if (isWaiting(lane) && lane.active < this.#options.perHost) this.#ready.add(lane);
      void task().finally(() => this.#end(lane));
    }
    if (hasSpace || (wasFull && !this.full)) this.#options.onSpace();
  }

  #end(lane: Lane): void {
    lane.active--;
    this.#active--;
    if (isWaiting(lane)) this.#ready.add(lane);
    this.#beginSoon();
    if (isWaiting(lane) || lane.active > 0) return;
    this.#lanes.delete(lane.host);
    this.#options.onSpace();
    if (!this.isIdle) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function isWaiting({ waiting }: Lane): boolean {
  return waiting.verification.length > 0 || waiting.delivery.length > 0;
}
