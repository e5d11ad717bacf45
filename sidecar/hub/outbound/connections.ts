import type { ClientRequest, ClientRequestArgs } from 'node:http';
import { Agent } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import type { AddressRule } from './address-rule.ts';
import { AddressFault } from './failure.ts';
import type { Lookup } from './resolve.ts';

/** How long a connection is kept that nobody uses; less where the peer's Keep-Alive header says so. */
const IDLE_MS = 15_000;

export interface ConnectionOptions {
  rule: Pick<AddressRule, 'permits'>;
  lookup: Lookup;
  /** Certificates to trust in place of the usual ones, PEM. */
  ca?: string | undefined;
  /** Connections at once, idle ones counted. */
  total: number;
  perHost: number;
}

/**
 * Kept-alive TLS connections to permitted addresses. Every address that a name leads to is checked
 * before one is connected to, and the one connected to is checked again; an address that stands in
 * the callback itself is checked with its text. Who asks for a connection sees to it that fewer
 * than `total` and `perHost` are in use; idle ones make room, the oldest first.
 */
export class Connections extends Agent {
  readonly #rule: ConnectionOptions['rule'];
  readonly #total: number;
  readonly #perHost: number;
  /** Every open connection and its host. */
  readonly #open = new Map<Socket, string>();
  /** Oldest first. */
  readonly #idle = new Set<Socket>();

  constructor({ rule, lookup, ca, total, perHost }: ConnectionOptions) {
    super({
      keepAlive: true,
      maxFreeSockets: perHost,
      maxCachedSessions: total,
      timeout: IDLE_MS,
      rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
      secureContext: createSecureContext(ca === undefined ? {} : { ca }),
      lookup: checkedLookup(lookup, rule),
    });
    this.#rule = rule;
    this.#total = total;
    this.#perHost = perHost;
  }

  /** Closes the idle connections to a host: where one was stale, so are the others. */
  dropIdle(host: string): void {
    for (const socket of this.#idle) if (this.#open.get(socket) === host) this.#close(socket);
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    const host = options.host!;
    this.#makeRoom(host);
    const socket = super.createConnection(options) as Socket;
    this.#open.set(socket, host);
    socket.once('connect', () => {
      const address = socket.remoteAddress; // none once the peer has closed it
      if (address !== undefined && this.#rule.permits(address)) return;
      socket.destroy(address === undefined ? undefined : new AddressFault('REFUSED'));
    });
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#idle.delete(socket);
    });
    return socket;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // The types say that nothing is returned; Node keeps the socket only if true is.
    const kept = super.keepSocketAlive(socket) as unknown as boolean;
    if (kept) this.#idle.add(socket as Socket);
    return kept;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idle.delete(socket as Socket);
    super.reuseSocket(socket, request);
  }

  #makeRoom(host: string): void {
    let same = 0;
    for (const other of this.#open.values()) if (other === host) same++;
    if (same >= this.#perHost) this.dropIdle(host);
    if (this.#open.size < this.#total) return;
    const [oldest] = this.#idle;
    if (oldest) this.#close(oldest);
  }

  #close(socket: Socket): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
    socket.destroy();
  }
}

/** A lookup as `net.connect` wants it, that gives nothing when one address is refused. */
function checkedLookup(lookup: Lookup, rule: ConnectionOptions['rule']): LookupFunction {
  const check = async (hostname: string) => {
    const addresses = await lookup(hostname);
    if (addresses.length === 0) throw new AddressFault('ENOTFOUND');
    if (!addresses.every((address) => rule.permits(address))) throw new AddressFault('REFUSED');
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
