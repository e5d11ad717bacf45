import { isIP } from 'node:net';

/** Each kind has places of its own, so that neither waits for the other. */
export type Kind = 'verification' | 'delivery';
export const KINDS: readonly Kind[] = ['verification', 'delivery'];

/** Waiting work: a row of the store, and the host that its exchange goes to. */
export interface Task {
  kind: Kind;
  id: number;
  host: string;
  /** Network of the client that asked for it; empty for a delivery. */
  client: string;
}

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

/**
 * The speed of a host's last response. A host is prompt once it has taken a delivery quickly, because an
 * attacker answers a verification quickly too.
 */
const PACES = ['prompt', 'unknown', 'slow'] as const;
type Pace = (typeof PACES)[number];

/** Exchanges at once with one host. */
const PER_HOST = 2;
/** Exchanges at once under one registrable domain, at one address, and for one client network. */
const PER_GROUP = 16;
/** An exchange that takes longer is slow. */
const SLOW_MS = 2_000;
/** A host that responds within this is given several deliveries in a row. */
const QUICK_MS = 100;
const IN_A_ROW = 16;
/** Turns at once of each kind; those that have become slow are counted apart. */
const TURNS: Record<Kind, number> = { delivery: 192, verification: 64 };
/** Shares of them for hosts of each pace. */
const SHARE: Record<Pace, number> = { slow: 1 / 4, unknown: 1 / 2, prompt: 1 };
/** Turns that became slow while they ran; beyond that they keep their places. */
const OVERTIME = 320;
/** Hosts without tasks whose pace is remembered. */
const KNOWN_HOSTS = 20_000;

/** A host and its tasks. */
interface Line {
  host: string;
  pace: Pace;
  lastMs: number;
  address: string | undefined;
  running: number;
  waiting: Record<Kind, Task[]>;
}

interface Running {
  line: Line;
  kind: Kind;
  groups: string[];
  startedAt: number;
  /** The places that it holds: those of its host's pace when it began, or of overtime. */
  place: string;
}

/**
 * The one queue of exchanges with callbacks. It knows what waits and says what may begin; it holds no
 * connection and reads no store. Hosts take turns, and prompt, unknown and slow ones have shares of
 * their own, so thousands that never respond delay only themselves.
 */
export class Schedule {
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();
  /** Hosts without tasks, the least recently used first. */
  readonly #known = new Map<string, Pick<Line, 'pace' | 'lastMs' | 'address'>>();
  /** Lines that may begin a task, in the order of their turns. */
  readonly #ready: Record<Kind, Record<Pace, Set<Line>>> = {
    verification: { prompt: new Set(), unknown: new Set(), slow: new Set() },
    delivery: { prompt: new Set(), unknown: new Set(), slow: new Set() },
  };
  /** Lines that wait until an exchange of a group ends, by group. */
  readonly #parked = new Map<string, Set<Line>>();
  /** Tasks that wait, run, or whose outcome is not written yet. */
  readonly #ids: Record<Kind, Set<number>> = { verification: new Set(), delivery: new Set() };
  /** In the order they began. */
  readonly #running = new Set<Running>();
  /** Turns that run, by place and by group. */
  readonly #counts = new Map<string, number>();
  #first = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isIdle(): boolean {
    return this.#lines.size === 0;
  }

  /** Returns the number of tasks added and not done yet. */
  size(kind: Kind): number {
    return this.#ids[kind].size;
  }

  /** Returns the number of hosts that wait for nothing but a place. */
  ready(kind: Kind): number {
    return PACES.reduce((sum, pace) => sum + this.#ready[kind][pace].size, 0);
  }

  /** Adds a task, unless it is there already. */
  add(task: Task): void {
    const { kind, id, host } = task;
    if (this.#ids[kind].has(id)) return;
    this.#ids[kind].add(id);
    const line = this.#lineOf(host);
    line.waiting[kind].push(task);
    if (line.waiting[kind].length === 1) this.#ready[kind][line.pace].add(line);
  }

  /** Forgets a task whose outcome is written. */
  done(kind: Kind, id: number): void {
    this.#ids[kind].delete(id);
  }

  /** Returns tasks that may begin now, if any. */
  begin(): Turn | undefined {
    this.#countOvertime();
    this.#first++;
    for (const kind of KINDS) {
      for (let step = 0; step < PACES.length; step++) {
        const pace = PACES[(this.#first + step) % PACES.length]!;
        const turn = this.#hasPlace(kind, pace) ? this.#beginOne(kind, pace) : undefined;
        if (turn) return turn;
      }
    }
    return undefined;
  }

  /** Forgets what waits, when nothing more is to begin. */
  clear(): void {
    this.#parked.clear();
    for (const line of this.#lines.values()) {
      for (const kind of KINDS) {
        for (const { id } of line.waiting[kind].splice(0)) this.#ids[kind].delete(id);
        this.#ready[kind][line.pace].delete(line);
      }
      this.#forgetIfIdle(line);
    }
  }

  #hasPlace(kind: Kind, pace: Pace): boolean {
    const held = (of: Pace) => this.#count(`${kind} ${of}`);
    const all = held('prompt') + held('unknown') + held('slow');
    return all < TURNS[kind] && held(pace) < TURNS[kind] * SHARE[pace];
  }

  #beginOne(kind: Kind, pace: Pace): Turn | undefined {
    const ready = this.#ready[kind][pace];
    for (const line of ready) {
      ready.delete(line);
      if (line.running >= PER_HOST) continue; // it is back when one of them has ended
      const waiting = line.waiting[kind];
      const groups = groupsOf(line, waiting[0]!);
      const full = groups.find((group) => this.#count(group) >= PER_GROUP);
      if (full !== undefined) {
        const parked = this.#parked.get(full);
        if (parked) parked.add(line);
        else this.#parked.set(full, new Set([line]));
        continue;
      }
      const isQuick = kind === 'delivery' && pace === 'prompt' && line.lastMs < QUICK_MS;
      const ids = waiting.splice(0, isQuick ? IN_A_ROW : 1).map(({ id }) => id);
      if (waiting.length > 0) ready.add(line); // at the end: the others come first
      return this.#start(line, kind, ids, groups);
    }
    return undefined;
  }

  #start(line: Line, kind: Kind, ids: number[], groups: string[]): Turn {
    const place = `${kind} ${line.pace}`;
    const running: Running = { line, kind, groups, startedAt: this.#now(), place };
    line.running++;
    for (const name of [place, ...groups]) this.#add(name, 1);
    this.#running.add(running);
    return { kind, ids, end: (ended) => this.#end(running, ended) };
  }

  #end(running: Running, { ms, address }: Ended): void {
    const { line, kind, groups, place } = running;
    this.#running.delete(running);
    line.running--;
    for (const name of [place, ...groups]) this.#add(name, -1);
    if (address !== undefined) line.address = address;
    if (ms !== undefined) {
      line.lastMs = ms;
      if (ms > SLOW_MS) this.#setPace(line, 'slow');
      else if (kind === 'delivery') this.#setPace(line, 'prompt');
      else if (line.pace === 'slow') this.#setPace(line, 'unknown');
    }
    for (const of of KINDS) if (line.waiting[of].length > 0) this.#ready[of][line.pace].add(line);
    for (const group of groups) this.#unpark(group, kind);
    this.#forgetIfIdle(line);
  }

  /** Readies as many lines as the group has places; all when none of it runs, so none is forgotten. */
  #unpark(group: string, kind: Kind): void {
    const parked = this.#parked.get(group);
    if (!parked) return;
    let places = this.#count(group) === 0 ? Infinity : PER_GROUP - this.#count(group);
    for (const line of parked) {
      if (places-- <= 0) return;
      parked.delete(line);
      if (line.waiting[kind].length > 0) this.#ready[kind][line.pace].add(line);
    }
    this.#parked.delete(group);
  }

  /** Moves exchanges that run for long out of the places that others wait for. */
  #countOvertime(): void {
    const late = this.#now() - SLOW_MS;
    for (const running of this.#running) {
      if (running.startedAt > late) return;
      if (running.place === 'overtime') continue;
      this.#setPace(running.line, 'slow');
      if (this.#count('overtime') >= OVERTIME) continue;
      this.#add(running.place, -1);
      running.place = 'overtime';
      this.#add('overtime', 1);
    }
  }

  #setPace(line: Line, pace: Pace): void {
    if (line.pace === pace) return;
    for (const kind of KINDS) {
      if (this.#ready[kind][line.pace].delete(line)) this.#ready[kind][pace].add(line);
    }
    line.pace = pace;
  }

  #lineOf(host: string): Line {
    const present = this.#lines.get(host);
    if (present) return present;
    const { pace = 'unknown', lastMs = 0, address } = this.#known.get(host) ?? {};
    this.#known.delete(host);
    const waiting: Line['waiting'] = { verification: [], delivery: [] };
    const line: Line = { host, pace, lastMs, address, running: 0, waiting };
    this.#lines.set(host, line);
    return line;
  }

  #forgetIfIdle({ host, running, waiting, pace, lastMs, address }: Line): void {
    if (running > 0 || KINDS.some((kind) => waiting[kind].length > 0)) return;
    this.#lines.delete(host);
    this.#known.set(host, { pace, lastMs, address });
    if (this.#known.size > KNOWN_HOSTS) this.#known.delete(this.#known.keys().next().value!);
  }

  #count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #add(name: string, by: number): void {
    const count = this.#count(name) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

/** Returns what else a task shares its places with. An address in a callback is a host of its own. */
function groupsOf({ host, address }: Line, { kind, client }: Task): string[] {
  const groups = isIP(host) ? [] : [`${kind} domain ${registrableDomain(host)}`];
  if (address !== undefined && address !== host) groups.push(`${kind} address ${address}`);
  if (client !== '') groups.push(`${kind} client ${client}`);
  return groups;
}

/**
 * Returns the last two labels of a name, or three if the last but one is as short as that of
 * `co.uk`: near enough to the registered name for sharing places among all names below it.
 */
export function registrableDomain(host: string): string {
  const labels = host.split('.');
  const isShort = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isShort ? -3 : -2).join('.');
}
