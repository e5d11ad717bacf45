import type { Socket } from 'node:net';

const BEGINNING = 'HTTP/1.1 100';
const END = '\r\n\r\n';

/**
 * Takes `100 Continue` out of the next response before others read it. A peer may send it without being
 * asked to (RFC 9110, section 15.2), as some servers do for every POST, and undici takes it for an
 * error.
 *
 * @param mostBytes maximum size of its head
 * @returns a function that ends this
 */
export function skipContinue(socket: Socket, mostBytes: number): () => void {
  let head: Buffer = Buffer.alloc(0);
  const stop = () => void socket.off('readable', read);
  const read = (): void => {
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) return;
    head = afterContinue(head.length === 0 ? bytes : Buffer.concat([head, bytes]));
    if (couldBeContinue(head) && head.length < mostBytes) return;
    stop();
    socket.unshift(head);
  };
  socket.prependListener('readable', read);
  return stop;
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
