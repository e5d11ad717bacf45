import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { AddressRule } from './address-rule.ts';
import { isLocalhost, LOOPBACK } from './callback-url.ts';
import { AddressError } from './failure.ts';

/**
 * Maximum idle time of a connection; less if the peer's Keep-Alive header says so. It is short, so that
 * there are few of them, and long enough for deliveries to one host, which come in quick succession.
 */
const IDLE_MS = 1_000;
const CACHED_SESSIONS = 256;
/** Time before the end of the peer's patience when a connection is no longer used. */
const MARGIN_MS = 1_000;
/** Maximum size of a response's head. */
const MAX_HEAD_BYTES = 8192;

/**
 * Keep-alive TLS connections to permitted addresses. Every resolved address is checked, and the
 * connected one again; an address in the callback itself is checked with its text. The number of them
 * is not limited here.
 */
export class Connections {
  readonly #rule: Pick<AddressRule, 'permits'>;
  readonly #connect: buildConnector.connector;
  readonly #idle = new Set<Connection>();

  /** @param ca certificates to trust instead of the usual ones, PEM */
  constructor(rule: Pick<AddressRule, 'permits'>, lookup: Lookup, ca?: string) {
    this.#rule = rule;
    this.#connect = buildConnector({
      maxCachedSessions: CACHED_SESSIONS,
      timeout: 0, // an exchange has its own
      rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
      secureContext: createSecureContext(ca === undefined ? {} : { ca }),
      lookup: checkedLookup(lookup, rule),
    });
  }

  /**
   * Returns a connection that nobody uses, an idle one if there is one.
   *
   * @param host name and port, as in the Host header
   */
  take(host: string): Connection {
    for (const connection of this.#idle) {
      if (connection.host === host && this.#idle.delete(connection)) return connection;
    }
    const connection = new Connection(host, this.#connect, this.#rule);
    connection.client.on('disconnect', () => this.#idle.delete(connection));
    return connection;
  }

  /** Keeps a connection for the next exchange with its host. */
  keep(connection: Connection): void {
    if (!connection.client.destroyed) this.#idle.add(connection);
  }

  /** Closes the idle connections to a host: if one was stale, so are the others. */
  dropIdle(host: string): void {
    for (const idle of this.#idle) if (idle.host === host) this.#drop(idle);
  }

  /** Closes all idle connections. */
  close(): void {
    for (const idle of this.#idle) this.#drop(idle);
  }

  #drop(connection: Connection): void {
    this.#idle.delete(connection);
    connection.close();
  }
}

/** A connection to a host, which carries one exchange at a time. */
export class Connection {
  readonly host: string;
  readonly client: Client;
  /** The newest, because a closed one is replaced. */
  #socket: Socket | undefined;
  #stopSkipping = () => {};
  #isReused = false;

  constructor(host: string, connect: buildConnector.connector, rule: Pick<AddressRule, 'permits'>) {
    this.host = host;
    this.client = new Client(`https://${host}`, {
      connect: (options, callback) => {
        const socket = connect(options, callback) as unknown as Socket;
        this.#socket = socket;
        this.#isReused = false;
        socket.once('connect', () => {
          const address = socket.remoteAddress; // none once the peer has closed it
          if (address !== undefined && rule.permits(address)) return;
          socket.destroy(new AddressError(address === undefined ? 'ECONNRESET' : 'REFUSED'));
        });
      },
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: MARGIN_MS,
      headersTimeout: 0, // an exchange has its own
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
  }

  /** Returns the socket of an exchange that begins, and if it has carried another one. */
  begin(): { socket: Socket; isReused: boolean } {
    const isReused = this.#isReused;
    this.#isReused = true;
    this.#stopSkipping();
    this.#stopSkipping = skipContinue(this.#socket!, MAX_HEAD_BYTES);
    return { socket: this.#socket!, isReused };
  }

  /** Closes it, and fails its exchange. */
  close(): void {
    void this.client.destroy();
    this.#socket?.destroy();
  }
}

const BEGINNING = 'HTTP/1.1 100';
const END = '\r\n\r\n';

/**
 * Takes `100 Continue` out of the next response before others read it. A peer may send it without being
 * asked to (RFC 9110, section 15.2), as some servers do for every POST, and undici takes it for an
 * error.
 *
 * @param mostBytes maximum size of its head
 * @returns a function that ends this
 */
function skipContinue(socket: Socket, mostBytes: number): () => void {
  let head: Buffer = Buffer.alloc(0);
  const stop = () => void socket.off('readable', read);
  const read = (): void => {
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) return;
    head = afterContinue(head.length === 0 ? bytes : Buffer.concat([head, bytes]));
    if (couldBeContinue(head) && head.length < mostBytes) return;
    stop();
    socket.unshift(head);
  };
  socket.prependListener('readable', read);
  return stop;
}

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  for (let end: number; couldBeContinue(rest) && (end = rest.indexOf(END)) >= 0;) {
    rest = rest.subarray(end + END.length);
  }
  return rest;
}

/** Tells if bytes are the beginning of `100 Continue`, as far as they go. */
function couldBeContinue(bytes: Buffer): boolean {
  const beginning = bytes.toString('latin1', 0, BEGINNING.length);
  return BEGINNING.startsWith(beginning);
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
function checkedLookup(lookup: Lookup, rule: Pick<AddressRule, 'permits'>): LookupFunction {
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
