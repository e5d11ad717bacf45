import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * A keep-alive connection that sends one request at a time and only counts the response's bytes.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #status: number;
  #head = '';
  /** Bytes of the body still to come; undefined while the head is read. */
  #left: number | undefined;
  #bodyBytes = 0;
  #done: (bytes: number) => void = () => {};
  #failed: (error: Error) => void = () => {};

  /** @param status expected; any other fails the request */
  constructor(port: number, status: number) {
    this.#status = status;
    const buffer = Buffer.allocUnsafe(256 * 1024);
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (length) => {
          this.#take(buffer, length);
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => this.#failed(new Error('the server closed the connection')));
  }

  /** @returns the size of the response body */
  ask(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(buffer: Buffer, length: number): void {
    let arrived = length;
    if (this.#left === undefined) {
      const before = this.#head.length;
      this.#head += buffer.toString('latin1', 0, length);
      const end = this.#head.indexOf(HEAD_END);
      if (end === -1) return;
      arrived = before + length - end - HEAD_END.length;
      if (!this.#readHead(this.#head.slice(0, end))) return;
      this.#head = '';
    }
    this.#left! -= arrived;
    if (this.#left! > 0) return;
    this.#left = undefined;
    this.#done(this.#bodyBytes);
  }

  #readHead(head: string): boolean {
    const status = Number(head.slice(9, 12));
    const stated = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (status !== this.#status || (stated === undefined && status !== 304)) {
      this.#failed(new Error(`an answer of another kind: ${head}`));
      return false;
    }
    this.#bodyBytes = status === 304 ? 0 : Number(stated);
    this.#left = this.#bodyBytes;
    return true;
  }
}
