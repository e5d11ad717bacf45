import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AddressRule } from './address-rule.ts';
import { readCallback, type Callback } from './callback-url.ts';
import { Connections, dnsLookup, type Connection, type Lookup } from './connections.ts';
import { isClosedByPeer, isUnclear, reasonOf } from './failure.ts';

/** A request to a callback. */
export interface Exchange {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Bytes of the response body to keep. */
  maxBody: number;
  /**
   * Milliseconds to resolve the name and connect, and again from the last byte sent to the end of
   * the response; default 10 s. In between, a body gets time according to its size.
   */
  patienceMs?: number;
}

export type Outcome =
  | {
      /** The head of a response arrived; redirects are not special. */
      kind: 'response';
      status: number;
      body: Buffer;
      /** True if the body is longer than `maxBody`, broke off or took too long. */
      truncated: boolean;
      /** The peer's Retry-After, at most a day. */
      retryAfterMs?: number;
    }
  | {
      kind: 'failure';
      /** A few words, none from the peer. */
      reason: string;
      /** The request was never sent, so this says nothing about the peer. */
      untried?: true;
      /** The failure may be on this side: no route, no resolver, a wrong clock. */
      unclear?: true;
      /** There was no connection. */
      unreached?: true;
    };

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300;
}

const PATIENCE_MS = 10_000;
/** Minimum rate at which a peer must read a body. */
const BODY_BYTES_A_SECOND = 256 * 1024;
const MOST_RETRY_AFTER_MS = 86_400_000;

const CLOSED = 'the connection was closed before an answer';
const STOPPING = 'the hub is stopping';

const USER_AGENT = 'reviews-service (WebSub hub)';

export interface OutboundOptions {
  /** CIDRs exempt from the private-address rule. */
  allow: readonly string[];
  /** Certificates to trust instead of Node's (and NODE_EXTRA_CA_CERTS), PEM. */
  ca?: string;
  /** Default: the DNS servers of this machine. */
  lookup?: Lookup;
}

/**
 * Sends all requests of the hub. They go to permitted addresses over HTTPS, end within a deadline,
 * follow no redirects, and keep only as much of a response as requested. The schedule limits
 * concurrency.
 */
export class Outbound {
  readonly #rule: AddressRule;
  readonly #connections: Connections;
  readonly #open = new Set<OpenExchange>();
  #closed = false;

  /** @throws if one of `allow` is not a CIDR or `ca` is invalid */
  constructor({ allow, ca, lookup = dnsLookup() }: OutboundOptions) {
    this.#rule = new AddressRule(allow);
    this.#connections = new Connections(this.#rule, lookup, ca);
  }

  /** Never throws. */
  async send(exchange: Exchange): Promise<Outcome> {
    if (this.#closed) return { kind: 'failure', reason: STOPPING, untried: true };
    const callback = readCallback(exchange.url, this.#rule);
    if (typeof callback === 'string')
      return { kind: 'failure', reason: `the callback ${callback}` };
    const open = new OpenExchange(this.#connections, callback, exchange);
    this.#open.add(open);
    const outcome = await open.outcome;
    this.#open.delete(open);
    return outcome;
  }

  /** Ends open exchanges and closes every connection; later requests fail. */
  close(): void {
    this.#closed = true;
    for (const open of this.#open) open.cut(STOPPING);
    this.#connections.close();
  }
}

/**
 * One exchange on a connection. A peer may close a keep-alive connection just as a request is
 * written to it. If the request was not yet sent completely, it is sent again on a new connection.
 * Otherwise the peer may have read it, so it is not repeated: three strikes are three deliveries.
 */
class OpenExchange {
  /** Resolves when the connection is no longer in use, so that the next exchange can have it. */
  readonly outcome: Promise<Outcome>;
  readonly #connections: Connections;
  readonly #callback: Callback;
  readonly #exchange: Exchange;
  readonly #patienceMs: number;
  #resolve!: (outcome: Outcome) => void;
  #deadline: NodeJS.Timeout | undefined;
  #connection: Connection | undefined;
  #isReached = false;
  #answer: Answer | undefined;
  /** The first failure; it counts unless the head of a response has arrived. */
  #failure: Outcome | undefined;

  constructor(connections: Connections, callback: Callback, exchange: Exchange) {
    this.#connections = connections;
    this.#callback = callback;
    this.#exchange = exchange;
    this.#patienceMs = exchange.patienceMs ?? PATIENCE_MS;
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    this.#send();
  }

  /** Ends it now; if the head of a response has arrived, that is the outcome. */
  cut(reason: string): void {
    this.#fail(reason);
    this.#connection!.close();
  }

  #send(): void {
    const { host, target: path } = this.#callback;
    const { method, headers, body = null } = this.#exchange;
    const connection = this.#connections.take(host);
    this.#connection = connection;
    this.#within(this.#patienceMs);
    let isSent = true;
    let isStale = () => false;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {
        const { socket, isReused } = connection.begin();
        this.#isReached = true;
        const bytesBefore = socket.bytesRead;
        isStale = () => isReused && socket.bytesRead === bytesBefore;
        const size = body?.length ?? 0;
        if (size < socket.writableHighWaterMark) return this.#within(this.#patienceMs); // sent at once
        this.#within(this.#patienceMs + (size / BODY_BYTES_A_SECOND) * 1000);
        isSent = false;
        socket.once('drain', () => {
          isSent = true;
          this.#within(this.#patienceMs);
        });
      },
      onResponseStart: (_, status, answered) => {
        if (status < 200) return; // the answer is still to come
        this.#answer = { status, headers: answered, chunks: [], bytes: 0, isComplete: false };
      },
      onResponseData: (_, chunk) => {
        const answer = this.#answer!;
        answer.chunks.push(chunk);
        answer.bytes += chunk.length;
        if (answer.bytes > this.#exchange.maxBody) this.cut(CLOSED);
      },
      onResponseEnd: () => {
        this.#answer!.isComplete = true;
        if (isSent) return this.#free(connection);
        // The answer may be seen a turn before the end of the write.
        setImmediate(() => (isSent ? this.#free(connection) : this.#leave(connection)));
      },
      onResponseError: (_, error) => {
        const isUnread = isStale() && (method === 'GET' || !isSent);
        const isRepeated = isUnread && !this.#failure && isClosedByPeer(error);
        if (isRepeated) {
          connection.close();
          this.#connections.dropIdle(host); // so the next connection is new, and the last
          return this.#send();
        }
        this.#fail(reasonOf(error), isUnclear(error));
        this.#leave(connection);
      },
    };
    const all = { 'user-agent': USER_AGENT, ...headers };
    connection.client.dispatch({ path, method, headers: all, body }, handler);
  }

  #free(connection: Connection): void {
    this.#connections.keep(connection);
    this.#end();
  }

  #leave(connection: Connection): void {
    connection.close();
    this.#end();
  }

  #fail(reason: string, unclear = false): void {
    this.#failure ??= {
      kind: 'failure',
      reason,
      ...(unclear && { unclear }),
      ...(!this.#isReached && { unreached: true }),
    };
  }

  #within(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.cut('there was no answer in time'), ms);
  }

  #end(): void {
    clearTimeout(this.#deadline);
    this.#resolve(this.#answer ? this.#response(this.#answer) : this.#failure!);
  }

  #response({ status, headers, chunks, bytes, isComplete }: Answer): Outcome {
    const { maxBody } = this.#exchange;
    const retryAfterMs = retryAfter(headers['retry-after']);
    return {
      kind: 'response',
      status,
      body: Buffer.concat(chunks).subarray(0, maxBody),
      truncated: !isComplete || bytes > maxBody,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  chunks: Buffer[];
  bytes: number;
  isComplete: boolean;
}

/** Parses Retry-After: seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? Math.min(ms, MOST_RETRY_AFTER_MS) : undefined;
}
