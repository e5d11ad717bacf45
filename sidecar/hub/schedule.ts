import {
  groupsOf,
  Hosts,
  KINDS,
  PACES,
  type Kind,
  type Line,
  type Pace,
  type Task,
} from './hosts.ts';
import { Bag } from './bag.ts';
import { Places, type Held } from './places.ts';

/** Tasks of one host that begin now, one after the other, on one connection. */
export interface Turn {
  kind: Kind;
  ids: number[];
  end: (ended: Ended) => void;
}

/** The outcome of a turn. */
export interface Ended {
  /** Duration of the longest exchange; none if there was none. */
  ms?: number | undefined;
  /** The connected address. */
  address?: string | undefined;
}

/** Exchanges at once with one host. */
const PER_HOST = 2;
/** An exchange that takes longer is slow. */
const SLOW_MS = 2_000;
/** A host that responds within this is given several deliveries in a row. */
const QUICK_MS = 100;
const IN_A_ROW = 16;

interface Running {
  line: Line;
  kind: Kind;
  startedAt: number;
  held: Held;
}

/**
 * The one queue of exchanges with callbacks. It knows what waits and says what may begin; it holds no
 * connection and reads no store. Hosts take turns, and prompt, unknown and slow ones have shares of
 * their own, so thousands that never respond delay only themselves.
 */
export class Schedule {
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #hosts: Hosts;
  /** Lines that may begin a task. They take turns in random order, so none comes last every time. */
  readonly #ready: Record<Kind, Record<Pace, Bag<Line>>>;
  /** Lines that wait until an exchange of a group ends, by group. */
  readonly #parked = new Map<string, Bag<Line>>();
  /** Tasks that wait, run, or whose outcome is not written yet: the client of each id. */
  readonly #tasks: Record<Kind, Map<number, string>> = {
    verification: new Map(),
    delivery: new Map(),
  };
  /** In the order they began. */
  readonly #running = new Set<Running>();
  readonly #places = new Places();
  #first = 0;

  constructor(now: () => number, random: () => number) {
    this.#now = now;
    this.#random = random;
    this.#hosts = new Hosts(random);
    const bag = () => new Bag<Line>(random);
    const bags = () => ({ prompt: bag(), unknown: bag(), slow: bag() });
    this.#ready = { verification: bags(), delivery: bags() };
  }

  get isIdle(): boolean {
    return this.#hosts.size === 0;
  }

  /** Returns the number of tasks added and not done yet. */
  size(kind: Kind): number {
    return this.#tasks[kind].size;
  }

  /** Returns the number of hosts that wait for nothing but a place. */
  ready(kind: Kind): number {
    return PACES.reduce((sum, pace) => sum + this.#ready[kind][pace].size, 0);
  }

  /** Adds a task, unless it is there already. */
  add(task: Task): void {
    const { kind, id, client } = task;
    if (this.#tasks[kind].has(id)) return;
    this.#tasks[kind].set(id, client);
    const line = this.#hosts.lineOf(task);
    line.waiting[kind].add(id);
    if (line.waiting[kind].size === 1) this.#ready[kind][line.pace].add(line);
  }

  /** Forgets a task whose outcome is written. */
  done(kind: Kind, id: number): void {
    this.#tasks[kind].delete(id);
  }

  /** Returns tasks that may begin now, if any. */
  begin(): Turn | undefined {
    this.#countOvertime();
    this.#first++;
    for (const kind of KINDS) {
      for (let step = 0; step < PACES.length; step++) {
        const pace = PACES[(this.#first + step) % PACES.length]!;
        const turn = this.#places.has(kind, pace) ? this.#beginOne(kind, pace) : undefined;
        if (turn) return turn;
      }
    }
    return undefined;
  }

  /** Forgets what waits, when nothing more is to begin. */
  clear(): void {
    this.#parked.clear();
    for (const line of this.#hosts.lines()) {
      for (const kind of KINDS) {
        for (let id; (id = line.waiting[kind].take()) !== undefined;) this.#tasks[kind].delete(id);
        this.#ready[kind][line.pace].delete(line);
      }
      this.#hosts.forgetIfIdle(line);
    }
  }

  #beginOne(kind: Kind, pace: Pace): Turn | undefined {
    const ready = this.#ready[kind][pace];
    for (let line; (line = ready.take());) {
      if (line.running >= PER_HOST) continue; // it is back when one of them has ended
      const waiting = line.waiting[kind];
      const first = waiting.take()!;
      const groups = groupsOf(line, kind, this.#tasks[kind].get(first)!);
      const full = this.#places.fullOf(groups);
      if (full !== undefined) {
        waiting.add(first);
        this.#park(line, full);
        continue;
      }
      const ids = [first];
      const isQuick = kind === 'delivery' && pace === 'prompt' && line.lastMs < QUICK_MS;
      const most = isQuick ? IN_A_ROW : 1;
      while (ids.length < most && waiting.size > 0) ids.push(waiting.take()!);
      if (waiting.size > 0) ready.add(line);
      return this.#start(line, kind, ids, groups);
    }
    return undefined;
  }

  #park(line: Line, group: string): void {
    const parked = this.#parked.get(group) ?? new Bag(this.#random);
    this.#parked.set(group, parked);
    parked.add(line);
  }

  #start(line: Line, kind: Kind, ids: number[], groups: string[]): Turn {
    const held = this.#places.take(kind, line.pace, groups);
    const running: Running = { line, kind, startedAt: this.#now(), held };
    line.running++;
    this.#running.add(running);
    return { kind, ids, end: (ended) => this.#end(running, ended) };
  }

  #end(running: Running, { ms, address }: Ended): void {
    const { line, kind, held } = running;
    this.#running.delete(running);
    line.running--;
    this.#places.free(held);
    if (address !== undefined) line.address = address;
    if (ms !== undefined) {
      line.lastMs = ms;
      const pace = paceOf(ms);
      if (pace === 'slow' || kind === 'delivery') this.#setPace(line, pace);
      else if (line.pace === 'slow') this.#setPace(line, 'unknown');
    }
    for (const of of KINDS) if (line.waiting[of].size > 0) this.#ready[of][line.pace].add(line);
    for (const group of held.groups) this.#unpark(group, kind);
    this.#hosts.forgetIfIdle(line);
  }

  /** Readies as many lines as the group has places; all when none of it runs, so none is forgotten. */
  #unpark(group: string, kind: Kind): void {
    const parked = this.#parked.get(group);
    if (!parked) return;
    for (let left = this.#places.leftOf(group); left > 0 && parked.size > 0; left--) {
      const line = parked.take()!;
      if (line.waiting[kind].size > 0) this.#ready[kind][line.pace].add(line);
    }
    if (parked.size === 0) this.#parked.delete(group);
  }

  /** Moves exchanges that run for long out of the places that others wait for. */
  #countOvertime(): void {
    const late = this.#now() - SLOW_MS;
    for (const running of this.#running) {
      if (running.startedAt > late) return;
      if (running.held.place === 'overtime') continue;
      this.#setPace(running.line, 'slow');
      this.#places.moveToOvertime(running.held);
    }
  }

  #setPace(line: Line, pace: Pace): void {
    if (line.pace === pace) return;
    for (const kind of KINDS) {
      if (this.#ready[kind][line.pace].delete(line)) this.#ready[kind][pace].add(line);
    }
    line.pace = pace;
  }
}

/** Returns the pace of a host by the duration of its last exchange. */
export function paceOf(ms: number): Pace {
  return ms > SLOW_MS ? 'slow' : 'prompt';
}
