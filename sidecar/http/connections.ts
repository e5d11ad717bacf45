import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { clientNetwork } from '../base/network.ts';

/** Time for pending requests to finish once the server closes. */
const DRAIN_MS = 9_000;
/** Interval between looks for connections that have become idle meanwhile. */
const LOOK_MS = 100;

/** Connections that wait for a request: of one client network, and of all. */
const MOST_IDLE = { each: 250, together: 2_500 };

/**
 * The connections that wait for a request. If there are too many of a client network, or of all, the
 * one that has waited longest is closed.
 */
export class IdleConnections {
  readonly #most: typeof MOST_IDLE;
  /** Those that have waited longest first. */
  readonly #all = new Map<Socket, string>();
  readonly #byNetwork = new Map<string, Set<Socket>>();

  constructor(most = MOST_IDLE) {
    this.#most = most;
  }

  add(socket: Socket): void {
    const network = clientNetwork(socket.remoteAddress);
    const own = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, own.add(socket));
    this.#all.set(socket, network);
    if (own.size > this.#most.each) this.#close(own.values().next().value!);
    if (this.#all.size > this.#most.together) this.#close(this.#all.keys().next().value!);
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

/** The connections of a server: bounds how many are idle, and closes them all in order. */
export class ClientConnections {
  readonly #server: Server;
  /** Responses by connection that are not sent. */
  readonly #pending = new Map<Socket, Set<ServerResponse>>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    const idle = new IdleConnections();
    server.on('connection', (socket: Socket) => {
      idle.add(socket);
      socket.once('close', () => {
        idle.delete(socket);
        this.#pending.delete(socket);
      });
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (this.#isClosing) response.shouldKeepAlive = false;
      idle.delete(socket);
      const pending = this.#pending.get(socket) ?? new Set();
      this.#pending.set(socket, pending.add(response));
      response.once('close', () => {
        pending.delete(response);
        if (pending.size > 0) return;
        this.#pending.delete(socket);
        if (!socket.destroyed) idle.add(socket);
      });
    });
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
    for (const responses of this.#pending.values()) {
      for (const response of responses) response.shouldKeepAlive = false;
    }
    const server = this.#server;
    // That of http.Server would close idle connections at once.
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
