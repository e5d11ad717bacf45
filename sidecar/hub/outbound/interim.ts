import type { Socket } from 'node:net';

const BEGINNING = 'HTTP/1.1 100';
const END = '\r\n\r\n';

/**
 * Hides `100 Continue` from the readers of a socket. A peer may send it without being asked to (RFC
 * 9110, section 15.2), as some servers do for every POST, and undici takes it for an error.
 *
 * @param mostBytes maximum size of its head
 * @returns a function to call before each request
 */
export function hideContinue(socket: Socket, mostBytes: number): () => void {
  /** Bytes of a response that may yet be a `100 Continue`. */
  let head: Buffer | undefined;
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const bytes: Buffer | null = read(size);
    if (head === undefined || bytes === null) return bytes;
    const found = afterContinue(head.length === 0 ? bytes : Buffer.concat([head, bytes]));
    const isHeld = couldBeContinue(found) && found.length < mostBytes;
    head = isHeld ? found : undefined;
    return isHeld ? null : found;
  };
  return () => {
    head = Buffer.alloc(0);
  };
}

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  for (let end: number; couldBeContinue(rest) && (end = rest.indexOf(END)) >= 0;) {
    rest = rest.subarray(end + END.length);
  }
  return rest;
}

/** Tells if bytes are the beginning of `100 Continue`, as far as they go. */
function couldBeContinue(bytes: Buffer): boolean {
  const beginning = bytes.toString('latin1', 0, BEGINNING.length);
  return BEGINNING.startsWith(beginning);
}
