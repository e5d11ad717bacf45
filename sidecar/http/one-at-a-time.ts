import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Respond = (request: IncomingMessage, response: ServerResponse) => unknown;
type Exchange = [request: IncomingMessage, response: ServerResponse, respond: Respond];

/**
 * Answers the requests of a connection one after the other, as reverse proxies do, with a turn of the
 * event loop between two: a client that sends many without waiting has no more turns than others.
 * While more than one has arrived, its connection pauses.
 */
export class OneAtATime {
  /** By connection: the request that is being answered, and those that wait. */
  readonly #open = new WeakMap<Socket, Exchange[]>();

  take(...exchange: Exchange): void {
    const [{ socket }] = exchange;
    const open = this.#open.get(socket);
    if (!open) {
      this.#open.set(socket, [exchange]);
      this.#answer(socket, exchange);
      return;
    }
    open.push(exchange);
    socket.pause();
  }

  #answer(socket: Socket, [request, response, respond]: Exchange): void {
    response.once('close', () => {
      // Node reads on once a response is sent.
      if (this.#open.get(socket)!.length > 1) socket.pause();
      setImmediate(() => this.#next(socket));
    });
    respond(request, response);
  }

  #next(socket: Socket): void {
    const open = this.#open.get(socket);
    open?.shift();
    const next = open?.[0];
    if (!next || socket.destroyed) {
      this.#open.delete(socket);
      return;
    }
    // The last of them may still be arriving.
    if (open.length === 1) socket.resume();
    this.#answer(socket, next);
  }
}
