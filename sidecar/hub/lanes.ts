type Task = () => Promise<void>;

interface Lane {
  host: string;
  active: number;
  waiting: Task[];
}

export interface LanesOptions {
  /** Tasks at once for one host. */
  perHost: number;
  /** Tasks at once in all. */
  total: number;
  /** Called when a host, or all of them, can take more. */
  onSpace: () => void;
}

/** A host with this many waiting tasks is given no more. */
const BUSY = 16;
/** Below this many hosts that only wait for a free place, more may be taken in. */
const ENOUGH_READY = 64;

/** Runs tasks, a few a host and so many in all; a slow host holds up nobody but itself. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that could begin a task if there were a free place, each once. */
  readonly #ready = new Set<Lane>();
  #active = 0;
  #idle: (() => void)[] = [];

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** @param task does not throw */
  add(host: string, task: Task): void {
    let lane = this.#lanes.get(host);
    if (!lane) {
      lane = { host, active: 0, waiting: [] };
      this.#lanes.set(host, lane);
    }
    lane.waiting.push(task);
    if (lane.active < this.#options.perHost) this.#ready.add(lane);
    this.#begin();
  }

  /** Whether more would only wait. */
  get full(): boolean {
    return this.#ready.size >= ENOUGH_READY;
  }

  busyHosts(): string[] {
    return [...this.#lanes.values()]
      .filter(({ waiting }) => waiting.length >= BUSY)
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

  #begin(): void {
    for (const lane of this.#ready) {
      if (this.#active === this.#options.total) return;
      this.#ready.delete(lane);
      const task = lane.waiting.shift()!;
      lane.active++;
      this.#active++;
      if (lane.waiting.length > 0 && lane.active < this.#options.perHost) this.#ready.add(lane);
      void task().finally(() => this.#end(lane));
    }
  }

  #end(lane: Lane): void {
    const wasFull = this.full;
    lane.active--;
    this.#active--;
    if (lane.waiting.length > 0) this.#ready.add(lane);
    else if (lane.active === 0) this.#lanes.delete(lane.host);
    this.#begin();
    if (lane.waiting.length === BUSY - 1 || lane.active === 0 || (wasFull && !this.full)) {
      this.#options.onSpace();
    }
    if (!this.isIdle) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
