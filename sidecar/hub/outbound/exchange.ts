import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Callback } from './callback-url.ts';
import type { Connections } from './connections.ts';
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
  /** Called with the connected address. */
  connected?: (address: string) => void;
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
    };

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300;
}

const PATIENCE_MS = 10_000;
/** Minimum rate at which a peer must read a body. */
export const BODY_BYTES_A_SECOND = 256 * 1024;
const MOST_RETRY_AFTER_MS = 86_400_000;

/** Maximum size of a response's head. */
const MAX_HEAD_BYTES = 8192;

const USER_AGENT = 'reviews-service (WebSub hub)';

/**
 * One exchange on a connection. A peer may close a keep-alive connection just as a request is
 * written to it. If the request was not yet sent completely, it is sent again on a new connection.
 * Otherwise the peer may have read it, so it is not repeated: three strikes are three deliveries.
 */
export class OpenExchange {
  /** Resolves when the connection is no longer in use, so that the next exchange can have it. */
  readonly outcome: Promise<Outcome>;
  readonly #connections: Connections;
  readonly #callback: Callback;
  readonly #exchange: Exchange;
  readonly #patienceMs: number;
  #resolve!: (outcome: Outcome) => void;
  #deadline: NodeJS.Timeout | undefined;
  #request: ClientRequest | undefined;
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
    this.#request?.destroy();
  }

  #send(): void {
    const { hostname, port, host, target } = this.#callback;
    const { method, headers, body, connected } = this.#exchange;
    let request: ClientRequest;
    try {
      request = secureRequest({
        agent: this.#connections,
        hostname,
        port,
        path: target,
        method,
        headers: { 'user-agent': USER_AGENT, ...headers, host },
        maxHeaderSize: MAX_HEAD_BYTES,
      });
    } catch (error) {
      this.#fail(reasonOf(error)); // an invalid header
      return this.#end();
    }
    this.#request = request;
    let bytesBefore = 0;
    request.on('socket', (socket) => {
      bytesBefore = socket.bytesRead;
      const bodyMs = ((body?.length ?? 0) / BODY_BYTES_A_SECOND) * 1000;
      const ready = () => {
        this.#within(this.#patienceMs + bodyMs);
        if (socket.remoteAddress !== undefined) connected?.(socket.remoteAddress);
      };
      if (request.reusedSocket) return ready();
      this.#within(this.#patienceMs);
      socket.once('secureConnect', ready);
    });
    request.on('finish', () => this.#within(this.#patienceMs));
    request.on('response', (response) => this.#read(response));
    request.on('error', (error) => {
      const stale = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      const isUnsent = method === 'GET' || !request.writableFinished;
      if (stale && isUnsent && !this.#failure && isClosedByPeer(error)) {
        this.#connections.dropIdle(hostname); // so the next connection is new, and the last
        this.#send();
      } else this.#fail(reasonOf(error), isUnclear(error));
    });
    request.on('close', () => {
      if (this.#request === request) this.#end();
    });
    request.end(body);
  }

  #read(response: IncomingMessage): void {
    const { statusCode: status, headers } = response;
    const answer: Answer = { status: status!, headers, chunks: [], bytes: 0, isComplete: false };
    this.#answer = answer;
    response.on('data', (chunk: Buffer) => {
      answer.chunks.push(chunk);
      answer.bytes += chunk.length;
      if (answer.bytes > this.#exchange.maxBody) this.cut(CLOSED);
    });
    response.on('end', () => (answer.isComplete = true));
    response.on('error', () => this.#fail(CLOSED));
  }

  #fail(reason: string, unclear = false): void {
    this.#failure ??= { kind: 'failure', reason, ...(unclear && { unclear }) };
  }

  #within(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.cut('there was no answer in time'), ms);
  }

  #end(): void {
    clearTimeout(this.#deadline);
    if (!this.#answer) this.#fail(CLOSED); // a 101 causes no error
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

interface Answer extends Pick<IncomingMessage, 'headers'> {
  status: number;
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

const CLOSED = 'the connection was closed before an answer';
