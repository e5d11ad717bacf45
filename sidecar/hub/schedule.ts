import { domainOf, paceOf, PACES, type Pace } from './hosts.ts';

/** Each kind has places of its own, so that neither kind waits for the other. */
export type Kind = 'verification' | 'delivery';
export const KINDS: readonly Kind[] = ['verification', 'delivery'];

/** Waiting work: a row of the store, and the host that its exchange goes to. */
export interface Task {
  id: number;
  host: string;
  /** The part of the host. */
  part: number;
  /** Network of the client that asked for it; empty for a delivery. */
  client: string;
  /** The host's pace when its row was last written. */
  pace: Pace;
}

/** Tasks of one host that begin now, one after the other, on one connection. */
export interface Batch {
  kind: Kind;
  ids: number[];
  /** @param ms duration of the longest exchange; none if there was none */
  end: (ms?: number) => void;
}

/** Batches at once, by the pace of their hosts: prompt hosts never wait for the others. */
const PLACES: Record<Kind, Record<Pace, number>> = {
  delivery: { prompt: 256, unknown: 256, slow: 48 },
  verification: { prompt: 64, unknown: 128, slow: 16 },
};
/** Batches at once below one domain, if its hosts are not prompt, and for one client network. */
const PER_GROUP = 16;
/** Exchanges at once with one host. */
const PER_HOST = 2;
/** A prompt host is given as many deliveries in a row as it takes in this time, up to a limit. */
export const IN_A_ROW_MS = 1_000;
const IN_A_ROW = 64;

/** A host and its tasks. */
interface Line {
  host: string;
  part: number;
  pace: Pace;
  lastMs: number;
  running: number;
  /** Ids of tasks, in the order of the store, where neighbors are written with less work. */
  waiting: Record<Kind, number[]>;
}

/**
 * The one queue of exchanges with callbacks. It knows what waits and says what may begin; it holds no
 * connection and reads no store. Hosts take turns in random order, and prompt, unknown and slow ones
 * have places of their own, so thousands that never respond delay only themselves.
 */
export class Schedule {
  readonly #random: () => number;
  readonly #lines = new Map<string, Line>();
  /** Lines that may begin a task. */
  readonly #ready: Record<Kind, Record<Pace, Bag<Line>>>;
  /** Lines that wait until a batch of a group ends, by group. */
  readonly #parked = new Map<string, Bag<Line>>();
  /** Tasks that wait, run, or whose outcome is not written yet, by id. */
  readonly #tasks: Record<Kind, Map<number, Pick<Task, 'client' | 'part'>>>;
  /** The number of tasks by part. */
  readonly #counts = new Map<number, number>();
  /** Number of batches of each pace and of each group. */
  readonly #running = new Map<string, number>();

  /** @param random returns a number from 0 to below 1 */
  constructor(random: () => number) {
    this.#random = random;
    const bag = () => new Bag<Line>(random);
    const bags = () => ({ prompt: bag(), unknown: bag(), slow: bag() });
    this.#ready = { verification: bags(), delivery: bags() };
    this.#tasks = { verification: new Map(), delivery: new Map() };
  }

  get isIdle(): boolean {
    return this.#lines.size === 0;
  }

  /** Returns the number of tasks added and not done yet. */
  size(kind: Kind): number {
    return this.#tasks[kind].size;
  }

  /** Adds a task, unless it is there already. */
  add(kind: Kind, { id, host, part, client, pace }: Task): void {
    if (this.#tasks[kind].has(id)) return;
    this.#tasks[kind].set(id, { client, part });
    this.#counts.set(part, this.tasksOf(part) + 1);
    let line = this.#lines.get(host);
    if (!line) {
      const waiting = { verification: [], delivery: [] };
      line = { host, part, pace, lastMs: Infinity, running: 0, waiting };
      this.#lines.set(host, line);
    }
    line.waiting[kind].push(id);
    if (line.waiting[kind].length === 1) this.#ready[kind][line.pace].add(line);
  }

  /** Forgets a task whose outcome is written. */
  done(kind: Kind, id: number): void {
    const { part } = this.#tasks[kind].get(id)!;
    this.#counts.set(part, this.tasksOf(part) - 1);
    this.#tasks[kind].delete(id);
  }

  /** Returns the number of tasks of a part that are not done yet. */
  tasksOf(part: number): number {
    return this.#counts.get(part) ?? 0;
  }

  /** Forgets tasks that wait, except those of some parts. */
  forget(kept: ReadonlySet<number>): void {
    for (const line of this.#lines.values()) {
      if (kept.has(line.part)) continue;
      for (const kind of KINDS) {
        this.#ready[kind][line.pace].delete(line);
        for (const id of line.waiting[kind].splice(0)) this.done(kind, id);
      }
      this.#forgetIfIdle(line);
    }
  }

  /** Returns tasks that may begin now, if any. */
  begin(): Batch | undefined {
    for (const kind of KINDS) {
      for (const pace of PACES) {
        const hasPlace = this.#count(`${kind} ${pace}`) < PLACES[kind][pace];
        const batch = hasPlace ? this.#beginOne(kind, pace) : undefined;
        if (batch) return batch;
      }
    }
    return undefined;
  }

  #beginOne(kind: Kind, pace: Pace): Batch | undefined {
    const ready = this.#ready[kind][pace];
    for (let line; (line = ready.take());) {
      if (line.running >= PER_HOST) continue; // it is back when one of them has ended
      const waiting = line.waiting[kind];
      const groups = groupsOf(line, kind, this.#tasks[kind].get(waiting[0]!)!.client);
      const full = groups.find((group) => this.#count(group) >= PER_GROUP);
      if (full !== undefined) {
        if (!this.#parked.has(full)) this.#parked.set(full, new Bag(this.#random));
        this.#parked.get(full)!.add(line);
        continue;
      }
      const isQuick = kind === 'delivery' && pace === 'prompt';
      const fitting = isQuick ? Math.floor(IN_A_ROW_MS / line.lastMs) : 1;
      const ids = waiting.splice(0, Math.min(Math.max(fitting, 1), IN_A_ROW));
      if (waiting.length > 0) ready.add(line);
      return this.#start(line, kind, ids, groups);
    }
    return undefined;
  }

  #start(line: Line, kind: Kind, ids: number[], groups: readonly string[]): Batch {
    const held = [`${kind} ${line.pace}`, ...groups];
    line.running++;
    for (const name of held) this.#running.set(name, this.#count(name) + 1);
    const end = (ms?: number): void => {
      line.running--;
      for (const name of held) this.#free(name);
      for (const each of KINDS) this.#ready[each][line.pace].delete(line);
      if (ms !== undefined) {
        line.lastMs = ms;
        // That a host answers a verification quickly says nothing about its deliveries.
        if (kind === 'delivery' || paceOf(ms) === 'slow') line.pace = paceOf(ms);
      }
      for (const each of KINDS) {
        if (line.waiting[each].length > 0) this.#ready[each][line.pace].add(line);
      }
      for (const group of groups) this.#unpark(group, kind);
      this.#forgetIfIdle(line);
    };
    return { kind, ids, end };
  }

  /** Readies as many lines as the group has places; all if no line of the group runs, so that none is forgotten. */
  #unpark(group: string, kind: Kind): void {
    const parked = this.#parked.get(group);
    if (!parked) return;
    const count = this.#count(group);
    for (let left = count === 0 ? Infinity : PER_GROUP - count; left > 0; left--) {
      const line = parked.take();
      if (!line) break;
      if (line.waiting[kind].length > 0) this.#ready[kind][line.pace].add(line);
    }
    if (parked.size === 0) this.#parked.delete(group);
  }

  #forgetIfIdle({ host, running, waiting }: Line): void {
    const isIdle = running === 0 && KINDS.every((kind) => waiting[kind].length === 0);
    if (isIdle) this.#lines.delete(host);
  }

  #count(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  #free(name: string): void {
    const count = this.#count(name) - 1;
    if (count === 0) this.#running.delete(name);
    else this.#running.set(name, count);
  }
}

/** Returns the groups whose places a task takes. A prompt host does not share those of its domain. */
function groupsOf({ host, pace }: Line, kind: Kind, client: string): string[] {
  const groups = client === '' ? [] : [`${kind} client ${client}`];
  if (pace !== 'prompt') groups.push(`${kind} ${pace} domain ${domainOf(host)}`);
  return groups;
}

/** Items without duplicates, taken in random order. Each step takes constant time. */
export class Bag<T> {
  readonly #random: () => number;
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  /** @param random returns a number from 0 to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Adds an item, unless it is there. */
  add(item: T): void {
    if (this.#places.has(item)) return;
    this.#places.set(item, this.#items.length);
    this.#items.push(item);
  }

  /** Removes and returns a random item; undefined if there is none. */
  take(): T | undefined {
    const item = this.#items[Math.floor(this.#random() * this.size)];
    if (item !== undefined) this.delete(item);
    return item;
  }

  /** @returns true if it was there */
  delete(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    const last = this.#items.pop()!;
    if (last !== item) {
      this.#items[place] = last;
      this.#places.set(last, place);
    }
    return this.#places.delete(item);
  }
}
