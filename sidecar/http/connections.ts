import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { keptWith } from '../../src/base/kept.ts';
import { clientNetwork } from '../base/rate-limit.ts';

/** Time for pending requests to finish once the server closes. */
const DRAIN_MS = 9_000;
/** Interval between looks for connections that have become idle meanwhile. */
const LOOK_MS = 100;

/** Connections that wait for a request: of one client network, and of all. */
const MAX_IDLE = { each: 250, together: 2_500 };

const networkOf = keptWith((socket: Socket) => clientNetwork(socket.remoteAddress));

/**
 * The connections that wait for a request. If there are too many of a client network, or of all, the
 * one that has waited longest is closed.
 */
export class IdleConnections {
  readonly #limits: typeof MAX_IDLE;
  /** The connections that have waited longest come first. */
  readonly #all = new Map<Socket, string>();
  readonly #byNetwork = new Map<string, Set<Socket>>();

  constructor(limits = MAX_IDLE) {
    this.#limits = limits;
  }

  add(socket: Socket): void {
    const network = networkOf(socket);
    const own = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, own.add(socket));
    this.#all.set(socket, network);
    if (own.size > this.#limits.each) this.#close(own.values().next().value!);
    if (this.#all.size > this.#limits.together) this.#close(this.#all.keys().next().value!);
  }

  /** Removes a connection that has a request or is closed. */
  delete(socket: Socket): void {
    const network = this.#all.get(socket);
    if (network === undefined) return;
    const own = this.#byNetwork.get(network)!;
    own.delete(socket);
    if (own.size === 0) this.#byNetwork.delete(network);
    this.#all.delete(socket);
  }

  #close(socket: Socket): void {
    this.delete(socket);
    socket.destroy();
  }
}

type Respond = (request: IncomingMessage, response: ServerResponse) => unknown;
type Exchange = [request: IncomingMessage, response: ServerResponse, respond: Respond];

/**
 * The connections of a server: bounds how many are idle, and closes them all in order. Answers the requests
 * of each one after the other, as reverse proxies do, with a turn of the event loop between two: a client
 * that sends many without waiting has no more turns than others. While more than one has arrived, its
 * connection pauses.
 */
export class ClientConnections {
  readonly #server: Server;
  readonly #idle = new IdleConnections();
  /** The request of each connection that is being answered, and those that wait. */
  readonly #open = new Map<Socket, Exchange[]>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#idle.add(socket);
      socket.once('close', () => {
        this.#idle.delete(socket);
        this.#open.delete(socket);
      });
    });
  }

  /** Answers a request when it is the next of its connection. */
  take(...exchange: Exchange): void {
    const [{ socket }, response] = exchange;
    if (this.#isClosing) response.shouldKeepAlive = false;
    const open = this.#open.get(socket);
    if (open) {
      open.push(exchange);
      socket.pause();
    } else {
      this.#idle.delete(socket);
      this.#open.set(socket, [exchange]);
      this.#answer(socket, exchange);
    }
  }

  #answer(socket: Socket, [request, response, respond]: Exchange): void {
    response.once('close', () => {
      const open = this.#open.get(socket);
      if (open?.length === 1) {
        this.#open.delete(socket);
        if (!socket.destroyed) this.#idle.add(socket);
      } else if (open) {
        socket.pause(); // Node reads on once a response is sent
        setImmediate(() => this.#next(socket));
      }
    });
    respond(request, response);
  }

  #next(socket: Socket): void {
    const open = this.#open.get(socket);
    open?.shift();
    const next = open?.[0];
    if (!next) return;
    // The last of them may still be arriving.
    if (open.length === 1) socket.resume();
    this.#answer(socket, next);
  }

  /**
   * Stops listening, lets pending requests finish, and closes every connection. Each response from
   * now on says that it is the last of its connection.
   *
   * @param farewellMs time for an idle connection to get such a response: closed at once, it would
   *   be reset if a request is on its way
   */
  async close(farewellMs: number): Promise<void> {
    this.#isClosing = true;
    for (const [, response] of [...this.#open.values()].flat()) response.shouldKeepAlive = false;
    const server = this.#server;
    // The method of http.Server would close idle connections at once.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    const started = performance.now();
    const look = (): void => {
      if (performance.now() - started >= farewellMs) server.closeIdleConnections();
    };
    look();
    const looks = setInterval(look, LOOK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearInterval(looks);
    clearTimeout(cut);
    server.close(); // ends its checks for slow requests
  }
}
