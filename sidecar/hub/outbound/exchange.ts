import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Callback } from './callback-url.ts';
import type { Connections } from './connections.ts';
import { isClosedByPeer, reasonOf } from './failure.ts';

/** A request to a callback. */
export interface Exchange {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Bytes of the answer's body that are kept. */
  maxBody: number;
  /** For all of it: name lookup, connect, TLS, head, body, and a second try where there is one. */
  deadlineMs: number;
}

export type Outcome =
  | {
      /** The head of an answer came; redirects are answers like others. */
      kind: 'response';
      status: number;
      body: Buffer;
      /** The body is not whole: it is longer than `maxBody`, or it broke off or took too long. */
      truncated: boolean;
    }
  | {
      kind: 'failure';
      /** A few words, none of them the peer's. */
      reason: string;
      /** Nothing was tried, so this tells nothing of the peer: no connection was free in time. */
      untried?: true;
    };

/** What comes before the body of an answer, beyond which it is no answer. */
const MAX_HEAD_BYTES = 8192;

const USER_AGENT = 'reviews-service (WebSub hub)';

/**
 * One exchange on a connection. The outcome is told as soon as it is known, `ended` is called when
 * the connection is no longer used, whatever happens.
 *
 * A kept-alive connection may be closed by the peer just as a request is written to it. If so, and
 * not one byte of an answer came, the request is sent a second time on a new connection. That is
 * right for both methods: a GET changes nothing, and a POST is a delivery that is due at least
 * once, carries the whole content with its ETag, and would be repeated a minute later anyway, with
 * a strike against a peer that did nothing wrong (RFC 9110, section 9.2.2, permits it to those who
 * know the semantics). A connection that was new is never tried twice.
 */
export class OpenExchange {
  readonly #connections: Connections;
  readonly #callback: Callback;
  readonly #exchange: Exchange;
  /** Of what is told, the first counts. */
  readonly #settle: (outcome: Outcome) => void;
  readonly #ended: () => void;
  readonly #deadline: NodeJS.Timeout;
  #request: ClientRequest | undefined;
  #answer: Answer | undefined;
  #stopped = false;

  constructor(
    connections: Connections,
    callback: Callback,
    exchange: Exchange,
    on: { settled: (outcome: Outcome) => void; ended: () => void },
  ) {
    this.#connections = connections;
    this.#callback = callback;
    this.#exchange = exchange;
    this.#settle = on.settled;
    this.#ended = on.ended;
    this.#deadline = setTimeout(() => this.cut('there was no answer in time'), exchange.deadlineMs);
    this.#send();
  }

  /** Ends it now; an answer whose head came stays one. */
  cut(reason: string): void {
    this.#stop(reason);
    this.#request?.destroy();
  }

  #send(): void {
    const { hostname, port, host, target } = this.#callback;
    const { method, headers, body } = this.#exchange;
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
      this.#stop(reasonOf(error)); // a header that HTTP cannot carry
      this.#end();
      return;
    }
    this.#request = request;
    let bytesBefore = 0;
    request.once('socket', (socket) => (bytesBefore = socket.bytesRead));
    request.once('response', (response) => this.#read(response));
    request.on('error', (error) => {
      const stale = request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      if (stale && !this.#stopped && isClosedByPeer(error)) {
        this.#connections.dropIdle(hostname); // so the next one is new, and the last
        this.#send();
      } else this.#stop(reasonOf(error));
    });
    request.once('close', () => {
      if (this.#request !== request) return;
      if (!this.#answer) this.#stop(CLOSED); // after a 101 there is no error
      this.#end();
    });
    request.end(body);
  }

  #read(response: IncomingMessage): void {
    const answer: Answer = { status: response.statusCode!, chunks: [], bytes: 0 };
    this.#answer = answer;
    response.on('data', (chunk: Buffer) => {
      answer.chunks.push(chunk);
      answer.bytes += chunk.length;
      if (answer.bytes > this.#exchange.maxBody) this.cut(CLOSED);
    });
    response.once('end', () => this.#settle(this.#response(answer, false)));
    response.once('error', () => this.#stop(CLOSED));
  }

  #stop(reason: string): void {
    this.#stopped = true;
    this.#settle(this.#answer ? this.#response(this.#answer, true) : { kind: 'failure', reason });
  }

  #response({ status, chunks }: Answer, truncated: boolean): Outcome {
    const body = Buffer.concat(chunks).subarray(0, this.#exchange.maxBody);
    return { kind: 'response', status, body, truncated };
  }

  #end(): void {
    clearTimeout(this.#deadline);
    this.#ended();
  }
}

interface Answer {
  status: number;
  chunks: Buffer[];
  bytes: number;
}

const CLOSED = 'the connection was closed before an answer';
