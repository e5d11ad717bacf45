import { isIP } from 'node:net';
import { Queue } from './queue.ts';

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

/**
 * The speed of a host's last response. A host is prompt once it has taken a delivery quickly, because an
 * attacker answers a verification quickly too.
 */
export const PACES = ['prompt', 'unknown', 'slow'] as const;
export type Pace = (typeof PACES)[number];

/** A host and its tasks. */
export interface Line {
  host: string;
  pace: Pace;
  lastMs: number;
  address: string | undefined;
  running: number;
  /** Ids of tasks. */
  waiting: Record<Kind, Queue<number>>;
}

/** Hosts without tasks whose pace is remembered. */
const KNOWN_HOSTS = 20_000;

/** The hosts that have tasks, and the pace of those that had some. */
export class Hosts {
  readonly #lines = new Map<string, Line>();
  /** Hosts without tasks, the least recently used first. */
  readonly #known = new Map<string, Pick<Line, 'pace' | 'lastMs' | 'address'>>();

  /** Number of hosts that have tasks. */
  get size(): number {
    return this.#lines.size;
  }

  lines(): Iterable<Line> {
    return this.#lines.values();
  }

  /** Returns the line of a host, with what is remembered of it. */
  lineOf(host: string): Line {
    const present = this.#lines.get(host);
    if (present) return present;
    const { pace = 'unknown', lastMs = 0, address } = this.#known.get(host) ?? {};
    this.#known.delete(host);
    const waiting: Line['waiting'] = { verification: new Queue(), delivery: new Queue() };
    const line: Line = { host, pace, lastMs, address, running: 0, waiting };
    this.#lines.set(host, line);
    return line;
  }

  /** Keeps only the pace of a host that has nothing to do. */
  forgetIfIdle({ host, running, waiting, pace, lastMs, address }: Line): void {
    if (running > 0 || KINDS.some((kind) => waiting[kind].size > 0)) return;
    this.#lines.delete(host);
    this.#known.set(host, { pace, lastMs, address });
    if (this.#known.size > KNOWN_HOSTS) this.#known.delete(this.#known.keys().next().value!);
  }
}

/** Returns what else a task shares its places with. An address in a callback is a host of its own. */
export function groupsOf({ host, address }: Line, kind: Kind, client: string): string[] {
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
