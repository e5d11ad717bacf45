import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Ending {
  /** Statuses of all responses, in order. */
  statuses: number[];
  /** True if the server closed when it had to. */
  closed: boolean;
}

/** Longer than any response takes on a busy machine. */
const HUNG_MS = 15_000;
/** Time a client waits before it disconnects. */
const QUIET_MS = 60;

/**
 * Sends the bytes over a connection of their own and waits for its end.
 *
 * @param leaves true if the client disconnects once it hears no more, and then the server must close
 */
export async function sendRaw(port: number, bytes: Buffer, leaves: boolean): Promise<Ending> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const over = new AbortController();
  const closed = new Promise<true>((resolve) => {
    socket.once('end', () => resolve(true));
    socket.once('close', () => resolve(true));
  });
  // A server that has responded may reset the connection while the rest still arrives.
  socket.on('error', () => {});
  const statuses = new StatusReader();
  let heard = performance.now();
  socket.on('data', (chunk: Buffer) => {
    heard = performance.now();
    statuses.read(chunk);
  });
  socket.write(bytes);
  const hung = delay(HUNG_MS, false as const, { signal: over.signal }).catch(() => false as const);
  if (leaves) void leave();
  try {
    return { closed: await Promise.race([closed, hung]), statuses: statuses.found };
  } finally {
    over.abort();
    socket.destroy();
  }

  async function leave(): Promise<void> {
    while (performance.now() - heard < QUIET_MS) await delay(QUIET_MS);
    socket.end();
  }
}

const STATUS = /HTTP\/1\.1 (\d{3}) /g;
const STATUS_LENGTH = 13;

/** Finds status lines in bytes that arrive in pieces. */
class StatusReader {
  readonly found: number[] = [];
  #tail = '';

  read(chunk: Buffer): void {
    const text = this.#tail + chunk.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(STATUS)) {
      this.found.push(Number(match[1]));
      end = match.index + STATUS_LENGTH;
    }
    this.#tail = text.slice(Math.max(end, text.length - STATUS_LENGTH + 1));
  }
}
