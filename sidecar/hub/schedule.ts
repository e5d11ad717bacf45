import { isIP } from 'node:net';

/** Questions have places of their own, so that neither kind waits for the other. */
export type Kind = 'verification' | 'delivery';

/** Work that waits: a row of the store, and where its exchange goes. */
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
  host: string;
  ids: number[];
}

/**
 * How fast a host answered last. What is not known yet may be anything: a host is prompt once it has
 * taken a delivery quickly, for a question is answered quickly by those too that mean harm.
 */
type Pace = 'prompt' | 'unknown' | 'slow';

/** Exchanges at once with one host. */
export const PER_HOST = 2;
/** Exchanges at once under one registrable domain, at one address, and for one client network. */
const PER_GROUP = 16;
/** An exchange that takes longer is slow. */
const SLOW_MS = 2_000;
/** A host that answers within this is given several deliveries in a row. */
const QUICK_MS = 100;
const IN_A_ROW = 16;
/** Turns at once of each kind; those that are slow by now are counted apart. */
const TURNS: Record<Kind, number> = { delivery: 192, verification: 64 };
/** Of them, those of slow hosts, and those of hosts that are not known. */
const SHARE = { slow: 1 / 4, unknown: 1 / 2, prompt: 1 };
/** Turns that became slow while they ran; beyond that they keep their places. */
const OVERTIME = 320;
/** Tasks of a host that wait here, hosts that wait, and hosts whose pace is remembered. */
const WAITING_PER_HOST = 512;
const WAITING_HOSTS = 4_096;
const ENOUGH_READY = 64;
const KNOWN_HOSTS = 20_000;

interface Line {
  host: string;
  /** More waits in the store than there was room for. */
  capped: Record<Kind, boolean>;
  /** The last row that was added since it was capped; rows before it are looked at when it is idle. */
  seen: number;
  pace: Pace;
  lastMs: number;
  running: number;
  waiting: Record<Kind, Task[]>;
  address: string | undefined;
}

interface Running {
  line: Line;
  turn: Turn;
  groups: string[];
  startedAt: number;
  /** The places that it holds: those of its host's pace when it began, or of overtime. */
  place: string;
}

/**
 * The one queue of exchanges with callbacks. It holds no connection and asks no store: it knows what
 * waits and says what may begin. Hosts take turns, prompt and unknown and slow ones each in their
 * own share of the places, so a thousand that never answer hold up nobody but themselves.
 */
export class Schedule {
  readonly #now: () => number;
  readonly #onRoom: (kind: Kind) => void;
  readonly #lines = new Map<string, Line>();
  /** Hosts that nothing waits for, the one not used for longest first. */
  readonly #known = new Map<string, Pick<Line, 'pace' | 'lastMs' | 'address'>>();
  /** Lines with tasks that wait, in the order of their turns. */
  readonly #ready: Record<Kind, Record<Pace, Set<Line>>> = {
    verification: { prompt: new Set(), unknown: new Set(), slow: new Set() },
    delivery: { prompt: new Set(), unknown: new Set(), slow: new Set() },
  };
  /** Tasks that wait, are under way, or whose outcome is still to be written. */
  readonly #ids: Record<Kind, Set<number>> = { verification: new Set(), delivery: new Set() };
  /** In the order they began. */
  readonly #running = new Set<Running>();
  readonly #counts = new Map<string, number>();
  #next = 0;

  /** @param now milliseconds, monotonic @param onRoom a host with more in the store has room for it */
  constructor(now: () => number, onRoom: (kind: Kind) => void) {
    this.#now = now;
    this.#onRoom = onRoom;
  }

  get isIdle(): boolean {
    return this.#lines.size === 0;
  }

  /** Whether a task is here; it is until `done`. */
  has(kind: Kind, id: number): boolean {
    return this.#ids[kind].has(id);
  }

  /** Returns how many more tasks a host may have waiting. */
  room(kind: Kind, host: string): number {
    const line = this.#lines.get(host);
    if (line) return Math.max(0, WAITING_PER_HOST - line.waiting[kind].length);
    return this.#lines.size < WAITING_HOSTS ? WAITING_PER_HOST : 0;
  }

  /** Returns up to which row the deliveries of a host were added. */
  seen(host: string): number {
    return this.#lines.get(host)?.seen ?? 0;
  }

  /** Whether few of the hosts that could begin a task have one. */
  wantsMore(kind: Kind): boolean {
    const { prompt, unknown } = this.#ready[kind];
    return this.#lines.size < WAITING_HOSTS && prompt.size + unknown.size < ENOUGH_READY;
  }

  add(task: Task): void {
    if (this.has(task.kind, task.id)) return;
    this.#ids[task.kind].add(task.id);
    const line = this.#lineOf(task.host);
    const waiting = line.waiting[task.kind];
    waiting.push(task);
    if (waiting.length >= WAITING_PER_HOST) {
      line.capped[task.kind] = true;
      if (task.kind === 'delivery') line.seen = task.id;
    }
    this.#ready[task.kind][line.pace].add(line);
  }

  /** Forgets a task whose outcome is written. */
  done(kind: Kind, id: number): void {
    this.#ids[kind].delete(id);
  }

  /** Returns tasks that may begin now, if there are any; their turn is over with `end`. */
  begin(): (Turn & { end: (exchange: Ended) => void }) | undefined {
    this.#countOvertime();
    const paces: Pace[] = ['prompt', 'unknown', 'slow'];
    this.#next++;
    for (const kind of ['verification', 'delivery'] as const) {
      for (let step = 0; step < paces.length; step++) {
        const pace = paces[(this.#next + step) % paces.length]!;
        if (!this.#hasPlace(kind, pace)) continue;
        const turn = this.#beginOne(kind, pace);
        if (turn) return turn;
      }
    }
    return undefined;
  }

  /** Forgets what waits, when nothing more is to begin. */
  clear(): void {
    for (const line of this.#lines.values()) {
      for (const kind of ['verification', 'delivery'] as const) {
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

  #beginOne(kind: Kind, pace: Pace): ReturnType<Schedule['begin']> {
    const ready = this.#ready[kind][pace];
    for (const line of ready) {
      if (line.running >= PER_HOST) {
        ready.delete(line); // it is back when one of them has ended
        continue;
      }
      const waiting = line.waiting[kind];
      const groups = groupsOf(line, waiting[0]!);
      if (groups.some((group) => this.#count(group) >= PER_GROUP)) continue;
      const quick = kind === 'delivery' && pace === 'prompt' && line.lastMs < QUICK_MS;
      const tasks = waiting.splice(0, quick ? IN_A_ROW : 1);
      ready.delete(line);
      if (waiting.length > 0) ready.add(line); // at the end: the others come first
      if (line.capped[kind] && waiting.length < WAITING_PER_HOST / 2) {
        line.capped[kind] = false;
        this.#onRoom(kind);
      }
      return this.#start(line, { kind, host: line.host, ids: tasks.map(({ id }) => id) }, groups);
    }
    return undefined;
  }

  #start(line: Line, turn: Turn, groups: string[]): ReturnType<Schedule['begin']> {
    const place = `${turn.kind} ${line.pace}`;
    const running: Running = { line, turn, groups, startedAt: this.#now(), place };
    line.running++;
    for (const name of [place, ...groups]) this.#add(name, 1);
    this.#running.add(running);
    return { ...turn, end: (ended) => this.#end(running, ended) };
  }

  #end(running: Running, { ms, address }: Ended): void {
    const { line, turn, groups, place } = running;
    if (!this.#running.delete(running)) return;
    line.running--;
    for (const name of [place, ...groups]) this.#add(name, -1);
    if (address !== undefined) line.address = address;
    if (ms !== undefined) {
      line.lastMs = ms;
      if (ms > SLOW_MS) this.#setPace(line, 'slow');
      else if (turn.kind === 'delivery') this.#setPace(line, 'prompt');
      else if (line.pace === 'slow') this.#setPace(line, 'unknown');
    }
    for (const kind of ['verification', 'delivery'] as const) {
      if (line.waiting[kind].length > 0) this.#ready[kind][line.pace].add(line);
    }
    this.#forgetIfIdle(line);
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
    for (const kind of ['verification', 'delivery'] as const) {
      if (!this.#ready[kind][line.pace].delete(line)) continue;
      this.#ready[kind][pace].add(line);
    }
    line.pace = pace;
  }

  #lineOf(host: string): Line {
    let line = this.#lines.get(host);
    if (line) return line;
    const { pace = 'unknown', lastMs = 0, address } = this.#known.get(host) ?? {};
    this.#known.delete(host);
    const waiting: Line['waiting'] = { verification: [], delivery: [] };
    const capped = { verification: false, delivery: false };
    line = { host, pace, lastMs, address, running: 0, waiting, capped, seen: 0 };
    this.#lines.set(host, line);
    return line;
  }

  #forgetIfIdle(line: Line): void {
    const { host, running, waiting, pace, lastMs, address } = line;
    if (running > 0 || waiting.verification.length + waiting.delivery.length > 0) return;
    this.#lines.delete(host);
    if (line.seen > 0) this.#onRoom('delivery');
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

/** How a turn went. */
export interface Ended {
  /** Of the longest exchange; none when there was none. */
  ms?: number | undefined;
  /** That the host was reached at. */
  address?: string | undefined;
}

/** What else a task shares its places with. An address in a callback is a host of its own. */
function groupsOf({ host, address }: Line, { kind, client }: Task): string[] {
  const groups = isIP(host) ? [] : [`domain ${registrableDomain(host)}`];
  if (address !== undefined && address !== host) groups.push(`address ${address}`);
  if (client !== '') groups.push(`client ${client}`);
  return groups.map((group) => `${kind} ${group}`);
}

/**
 * The last two labels of a name, or three where the last but one is as short as that of `co.uk`: near
 * enough to the name that somebody registered for sharing places among all names below it.
 */
export function registrableDomain(host: string): string {
  const labels = host.split('.');
  const isShort = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isShort ? -3 : -2).join('.');
}
