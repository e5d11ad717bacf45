import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { AddressRule } from './address-rule.ts';
import { isLocalhost, LOOPBACK } from './callback-url.ts';
import { failedWith } from './failure.ts';

/**
 * Maximum idle time of a connection; less if the peer's Keep-Alive header says so. It is short, so that
 * there are few of them, and long enough for deliveries to one host, which come in quick succession.
 */
const IDLE_MS = 1_000;
const CACHED_SESSIONS = 256;
/** Maximum size of a response's head. */
const MAX_HEAD_BYTES = 8192;
const CONTINUE = /^(?:HTTP\/1\.1 100 [^]*?\r\n\r\n)*/;

export type Connect = (options: buildConnector.Options, done: buildConnector.Callback) => Socket;

/**
 * Returns a connector that opens TLS connections to permitted addresses. It checks every resolved
 * address, and the connected one again; `readCallback` checks an address in the callback itself.
 *
 * @param ca certificates to trust instead of the usual ones, PEM
 */
export function connectorTo(
  rule: Pick<AddressRule, 'permits'>,
  lookup: Lookup,
  ca?: string,
): Connect {
  const connect = buildConnector({
    maxCachedSessions: CACHED_SESSIONS,
    timeout: 0, // an exchange has its own
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
    autoSelectFamily: true, // so the lookup is asked for all addresses
    lookup: checkedLookup(lookup, rule),
  });
  return (options, done) => {
    const socket = connect(options, done) as unknown as Socket;
    return socket.once('connect', () => {
      const address = socket.remoteAddress; // none once the peer has closed it
      if (address !== undefined && rule.permits(address)) return;
      socket.destroy(failedWith(address === undefined ? 'ECONNRESET' : 'REFUSED'));
    });
  };
}

/** A keep-alive connection to a host, which carries one exchange at a time. */
export class Connection {
  /** Name and port, as in the Host header. */
  readonly host: string;
  readonly client: Client;
  /** The newest socket, because a closed one is replaced. */
  socket: Socket | undefined;
  /** True if the last response on this socket began with `100 Continue`, and before the first. */
  #continues = true;

  /** @param onClosed called when it closes, even if it opens again for the next exchange */
  constructor(host: string, connect: Connect, onClosed: () => void) {
    this.host = host;
    this.client = new Client(`https://${host}`, {
      connect: (options, done) => {
        this.socket = connect(options, done);
        this.#continues = true;
      },
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0, // an exchange has its own
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    this.client.on('disconnect', onClosed);
  }

  /**
   * Takes each `100 Continue` that arrives in one piece out of the next response before others read it.
   * A peer may send it without being asked to (RFC 9110, section 15.2), as some servers do for every
   * POST, and undici takes it for an error.
   */
  skipContinue(): void {
    if (!this.#continues) return;
    const socket = this.socket!;
    this.#continues = false;
    const read = () => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      const [skipped] = CONTINUE.exec(bytes.toString('latin1', 0, MAX_HEAD_BYTES))!;
      this.#continues ||= skipped !== '';
      if (skipped.length === bytes.length) return; // the answer is still to come
      socket.off('readable', read);
      socket.unshift(bytes.subarray(skipped.length));
    };
    socket.prependListener('readable', read);
  }

  /** Closes it, and fails its exchange. */
  close(): void {
    void this.client.destroy();
    this.socket?.destroy();
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

/** Returns a lookup of all addresses for `net.connect`, which fails if any is refused. */
function checkedLookup(lookup: Lookup, rule: Pick<AddressRule, 'permits'>): LookupFunction {
  const check = async (hostname: string) => {
    const addresses = await lookup(hostname);
    if (addresses.length === 0) throw failedWith('ENOTFOUND');
    if (!addresses.every((address) => rule.permits(address))) throw failedWith('REFUSED');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return (hostname, _, callback) => {
    check(hostname).then(
      (found) => callback(null, found),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
