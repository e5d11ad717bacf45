import type { IncomingMessage, ServerResponse } from 'node:http';

/** Something an origin does at one path in place of sending the file. */
export interface FileLie {
  name: string;
  answer: (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;
}

/** @param elsewhere an address that must never be asked */
export function fileLies(elsewhere: string): FileLie[] {
  const redirect = (location: string): FileLie => ({
    name: `a redirect to ${location}`,
    answer: (_, response) => response.writeHead(302, { location }).end(),
  });
  return [
    { name: 'one wrong bit', answer: (_, to, bytes) => to.end(bytes.with(0, bytes[0]! ^ 1)) },
    { name: 'a byte too few', answer: (_, to, bytes) => to.end(bytes.subarray(1)) },
    { name: 'no bytes', answer: (_, to) => to.end() },
    { name: 'bytes without end', answer: (_, to) => pour(to) },
    {
      name: 'fewer bytes than stated',
      answer: (_, to, bytes) => {
        to.writeHead(200, { 'content-length': bytes.length + 10 }).write(bytes);
        setImmediate(() => to.destroy());
      },
    },
    { name: 'a reset connection', answer: ({ socket }) => socket.resetAndDestroy() },
    { name: 'a page in place of a file', answer: (_, to) => to.end('<!doctype html><p>Hello') },
    { name: 'a 500', answer: (_, to) => to.writeHead(500).end() },
    { name: 'a 304 that was not asked for', answer: (_, to) => to.writeHead(304).end() },
    { name: 'a 206', answer: (_, to, bytes) => to.writeHead(206).end(bytes.subarray(2)) },
    {
      name: 'headers without end',
      answer: ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const send = () => socket.writable && socket.write(`x-${'y'.repeat(9000)}: z\r\n`, send);
        send();
        socket.on('error', () => {});
      },
    },
    {
      name: 'a response that is none',
      answer: ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\n'),
    },
    redirect('/robots.txt'),
    redirect(`${elsewhere}/robots.txt`),
    redirect('http://169.254.169.254/latest/meta-data/'),
    redirect('file:///etc/passwd'),
    redirect(`//localhost:${new URL(elsewhere).port}/robots.txt`),
  ];
}

/** Sends as fast as the other side takes it. */
export function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(2 ** 20);
  const send = () => {
    if (response.destroyed) return;
    if (response.write(chunk)) setImmediate(send);
    else response.once('drain', send);
  };
  send();
}

/** Texts at the place of edition.json that are no manifest. */
export const MANIFEST_TEXTS: Readonly<Record<string, () => string | Buffer>> = {
  'an empty manifest': () => '',
  'a manifest of brackets': () => '['.repeat(2 ** 22),
  'a manifest of wrong bytes': () => Buffer.alloc(100, 0xff),
  'a manifest with a prototype': () => '{"__proto__":{"format":1},"format":1}',
  'a manifest without end': () => Buffer.alloc(40 * 2 ** 20, 0x20),
};
