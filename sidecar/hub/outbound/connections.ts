import { Resolver } from 'node:dns/promises';
import type { ClientRequest, ClientRequestArgs } from 'node:http';
import { Agent } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import type { AddressRule } from './address-rule.ts';
import { isLocalhost, LOOPBACK } from './callback-url.ts';
import { AddressError } from './failure.ts';

/** Maximum idle time of a connection; less if the peer's Keep-Alive header says so. */
const IDLE_MS = 4_000; // most servers close after five

export interface ConnectionOptions {
  rule: Pick<AddressRule, 'permits'>;
  lookup: Lookup;
  /** Certificates to trust instead of the usual ones, PEM. */
  ca?: string | undefined;
  /** Idle connections to keep, in total and per host and port. */
  maxIdle: number;
  perHost: number;
}

/**
 * Keep-alive TLS connections to permitted addresses. Every resolved address is checked, and the
 * connected one again; an address in the callback itself is checked with its text. The number in
 * use is not limited here; the oldest idle ones make room.
 */
export class Connections extends Agent {
  readonly #rule: ConnectionOptions['rule'];
  readonly #maxIdle: number;
  /** Oldest first. */
  readonly #idle = new Set<Duplex>();

  constructor({ rule, lookup, ca, maxIdle, perHost }: ConnectionOptions) {
    super({
      keepAlive: true,
      maxFreeSockets: perHost,
      maxCachedSessions: maxIdle,
      timeout: IDLE_MS,
      rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
      secureContext: createSecureContext(ca === undefined ? {} : { ca }),
      lookup: checkedLookup(lookup, rule),
    });
    this.#rule = rule;
    this.#maxIdle = maxIdle;
  }

  /** Closes the idle connections to a host: if one was stale, so are the others. */
  dropIdle(host: string): void {
    for (const [name, sockets] of Object.entries(this.freeSockets)) {
      if (name.startsWith(`${host}:`)) for (const socket of sockets!) this.#close(socket);
    }
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    const socket = super.createConnection(options) as Socket;
    socket.once('connect', () => {
      const address = socket.remoteAddress; // none once the peer has closed it
      if (address !== undefined && this.#rule.permits(address)) return;
      socket.destroy(address === undefined ? undefined : new AddressError('REFUSED'));
    });
    socket.once('close', () => this.#idle.delete(socket));
    return socket;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Despite the types, Node keeps the socket only if this returns true.
    const kept = super.keepSocketAlive(socket) as unknown as boolean;
    if (!kept) return false;
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size >= this.#maxIdle) this.#close(oldest);
    this.#idle.add(socket);
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idle.delete(socket);
    super.reuseSocket(socket, request);
  }

  #close(socket: Duplex): void {
    this.#idle.delete(socket);
    socket.destroy();
  }
}

/**
 * Returns all addresses of a name.
 *
 * @throws if it has none or cannot be resolved
 */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const QUERY = { timeout: 2000, tries: 2 };

/**
 * Resolves names through the DNS servers of this machine only. The system's resolver would also use
 * the hosts file, but a hostile name server could block its few threads.
 *
 * @param servers other ones, as address and port
 */
export function dnsLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver(QUERY);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    if (isLocalhost(hostname)) return [LOOPBACK];
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}

/** Returns a lookup for `net.connect` that fails if any address is refused. */
function checkedLookup(lookup: Lookup, rule: ConnectionOptions['rule']): LookupFunction {
  const check = async (hostname: string) => {
    const addresses = await lookup(hostname);
    if (addresses.length === 0) throw new AddressError('ENOTFOUND');
    if (!addresses.every((address) => rule.permits(address))) throw new AddressError('REFUSED');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return (hostname, { all }, callback) => {
    check(hostname).then(
      (found) =>
        all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
