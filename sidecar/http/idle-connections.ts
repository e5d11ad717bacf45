import type { Socket } from 'node:net';
import { clientNetwork } from '../base/network.ts';

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
