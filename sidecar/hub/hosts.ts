import { isIP } from 'node:net';
import { clientNetwork } from '../base/network.ts';
import { Bag } from './bag.ts';
import { publicAddresses } from './outbound/address-rule.ts';

/** Each kind has places of its own, so that neither waits for the other. */
export type Kind = 'verification' | 'delivery';
export const KINDS: readonly Kind[] = ['verification', 'delivery'];

/**
 * The speed of a host's last response. A host is prompt once it has taken a delivery quickly, because an
 * attacker answers a verification quickly too.
 */
export const PACES = ['prompt', 'unknown', 'slow'] as const;
export type Pace = (typeof PACES)[number];

/** Waiting work: a row of the store, and the host that its exchange goes to. */
export interface Task {
  kind: Kind;
  id: number;
  host: string;
  /** Network of the client that asked for it; empty for a delivery. */
  client: string;
  /** The host's as written in the row; what is remembered counts more. */
  pace: Pace;
}

/** A host and its tasks. */
export interface Line {
  host: string;
  pace: Pace;
  lastMs: number;
  address: string | undefined;
  running: number;
  /** Ids of tasks. */
  waiting: Record<Kind, Bag<number>>;
}

/** Hosts without tasks whose pace and address are remembered. */
const KNOWN_HOSTS = 20_000;

/** The hosts that have tasks, and what is remembered of those that had some. */
export class Hosts {
  readonly #random: () => number;
  readonly #lines = new Map<string, Line>();
  /** Hosts without tasks, the least recently used first. */
  readonly #known = new Map<string, Pick<Line, 'pace' | 'lastMs' | 'address'>>();

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Number of hosts that have tasks. */
  get size(): number {
    return this.#lines.size;
  }

  lines(): Iterable<Line> {
    return this.#lines.values();
  }

  /** Returns the line of a task's host. */
  lineOf({ host, pace }: Pick<Task, 'host' | 'pace'>): Line {
    const present = this.#lines.get(host);
    if (present) return present;
    const known = this.#known.get(host) ?? { pace, lastMs: Infinity, address: undefined };
    this.#known.delete(host);
    const bag = () => new Bag<number>(this.#random);
    const line = { host, ...known, running: 0, waiting: { verification: bag(), delivery: bag() } };
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

/**
 * Returns what else a task shares its places with. A host that took its last delivery quickly waits
 * for no other, so nobody suffers for neighbors at one address, and new hosts not for slow ones.
 */
export function groupsOf({ host, address, pace }: Line, kind: Kind, client: string): string[] {
  const groups = client === '' ? [] : [`${kind} client ${client}`];
  if (pace === 'prompt') return groups;
  groups.push(`${kind} ${pace} domain ${domainOf(host)}`);
  if (address !== undefined && address !== host) groups.push(`${kind} ${pace} address ${address}`);
  return groups;
}

/** Tells if a host is a private address, so that it is the operator's. */
export function isPrivate(host: string): boolean {
  return isIP(host) > 0 && !publicAddresses.permits(host);
}

/** Platforms that give each customer a name of their own below one of these. */
const PLATFORMS = new Set(
  `amplifyapp.com appspot.com azurewebsites.net cloudfront.net deno.dev fly.dev github.io glitch.me
  herokuapp.com netlify.app ngrok-free.app ngrok.app onrender.com pages.dev railway.app run.app
  trycloudflare.com vercel.app web.app workers.dev`.split(/\s+/),
);

/**
 * Returns what stands for the owner of a host: the network of an address, else the last two labels of
 * a name, or three below a platform, or if the last but one is as short as that of `co.uk`. That is
 * near enough to the registered name for sharing places and limits.
 */
export function domainOf(host: string): string {
  if (isIP(host) > 0) return clientNetwork(host);
  const labels = host.split('.');
  const isShort = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isShort || PLATFORMS.has(labels.slice(-2).join('.')) ? -3 : -2).join('.');
}
