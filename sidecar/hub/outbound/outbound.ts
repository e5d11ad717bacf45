import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AddressRule } from './address-rule.ts';
import { readCallback } from './callback-url.ts';
import { Connection, connectorTo, dnsLookup, type Connect, type Lookup } from './connections.ts';
import { isUnclear, reasonOf } from './failure.ts';

/** A request to a callback. */
export interface Exchange {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Bytes of the response body to keep. */
  maxBody: number;
  /**
   * Milliseconds to resolve the name and connect, and again to send the request and receive the
   * response; default 10 s. Both are longer with a body, according to its size.
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
      /** In our own words, because the peer's may be hostile. */
      reason: string;
      /** The request was never sent, so this says nothing about the peer. */
      untried?: true;
      /** The failure may be the hub's own: no route, no resolver, a wrong clock. */
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
const MAX_RETRY_AFTER_MS = 86_400_000;
const STOPPING = 'the hub is stopping';
/** Without the second, any encoding of a response is acceptable (RFC 9110, section 12.5.3). */
const HEADERS = { 'user-agent': 'reviews-service (WebSub hub)', 'accept-encoding': 'identity' };

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
  readonly #connect: Connect;
  readonly #idle = new Set<Connection>();
  readonly #open = new Set<OpenExchange>();
  #closed = false;

  /** @throws if one of `allow` is not a CIDR or `ca` is invalid */
  constructor({ allow, ca, lookup = dnsLookup() }: OutboundOptions) {
    this.#rule = new AddressRule(allow);
    this.#connect = connectorTo(this.#rule, lookup, ca);
  }

  /** Never throws. */
  async send(exchange: Exchange): Promise<Outcome> {
    if (this.#closed) return { kind: 'failure', reason: STOPPING, untried: true };
    const callback = readCallback(exchange.url, this.#rule);
    if (typeof callback === 'string') {
      return { kind: 'failure', reason: `the callback ${callback}` };
    }
    const { host, target } = callback;
    const kept = this.#idle.values().find((idle) => idle.host === host);
    const connection: Connection =
      kept ?? new Connection(host, this.#connect, () => this.#idle.delete(connection));
    this.#idle.delete(connection);
    const open = new OpenExchange(connection, target, exchange);
    this.#open.add(open);
    const outcome = await open.outcome;
    this.#open.delete(open);
    if (!connection.client.destroyed) this.#idle.add(connection);
    return outcome;
  }

  /** Ends open exchanges and closes every connection; later requests fail. */
  close(): void {
    this.#closed = true;
    for (const open of this.#open) open.cut(STOPPING);
    for (const idle of this.#idle) idle.close();
  }
}

/** One exchange on a connection. */
class OpenExchange implements Dispatcher.DispatchHandler {
  /** Resolves when the connection is no longer in use, so that the next exchange can have it. */
  readonly outcome: Promise<Outcome>;
  readonly #connection: Connection;
  readonly #exchange: Exchange;
  readonly #deadline: NodeJS.Timeout;
  #resolve!: (outcome: Outcome) => void;
  #isReached = false;
  #answer: Extract<Outcome, { kind: 'response' }> | undefined;
  /** The first failure; it counts unless the head of a response has arrived. */
  #failure: Outcome | undefined;

  constructor(connection: Connection, path: string, exchange: Exchange) {
    this.#connection = connection;
    this.#exchange = exchange;
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    const { method, body = null, patienceMs = PATIENCE_MS } = exchange;
    const ms = patienceMs + ((body?.length ?? 0) / BODY_BYTES_A_SECOND) * 1000;
    this.#deadline = setTimeout(() => this.cut('there was no answer in time'), ms);
    const headers = { ...HEADERS, ...exchange.headers };
    connection.client.dispatch({ path, method, headers, body }, this);
  }

  /** Ends it now; if the head of a response has arrived, that is the outcome. */
  cut(reason: string): void {
    this.#fail(reason);
    this.#connection.close();
  }

  onRequestStart(): void {
    this.#connection.skipContinue();
    this.#isReached = true;
    this.#deadline.refresh();
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return; // the answer is still to come
    const retryAfterMs = retryAfter(headers['retry-after']);
    this.#answer = {
      kind: 'response',
      status,
      body: Buffer.alloc(0),
      truncated: true,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const { maxBody } = this.#exchange;
    const body = Buffer.concat([this.#answer!.body, chunk]);
    this.#answer!.body = body.subarray(0, maxBody);
    if (body.length > maxBody) this.cut('the answer is too long');
  }

  onResponseEnd(): void {
    this.#answer!.truncated = false;
    // One turn later, because the write may end after the answer.
    setImmediate(() => {
      const { writableLength, writableHighWaterMark } = this.#connection.socket!;
      if (writableLength >= writableHighWaterMark) this.#connection.close();
      this.#end();
    });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#connection.close();
    this.#fail(reasonOf(error), isUnclear(error));
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

  #end(): void {
    clearTimeout(this.#deadline);
    this.#resolve(this.#answer ?? this.#failure!);
  }
}

/** Parses Retry-After: seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
