import type { IncomingMessage, ServerResponse } from 'node:http';

/** Something an origin does at one path in place of sending the file. */
type FileLie = (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;

/** @param elsewhere an address that must never be asked */
export function fileLies(elsewhere: string): Readonly<Record<string, FileLie>> {
  const locations = [
    '/robots.txt',
    `${elsewhere}/robots.txt`,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    `//localhost:${new URL(elsewhere).port}/robots.txt`,
  ];
  const redirects = locations.map((location): [string, FileLie] => [
    `a redirect to ${location}`,
    (_, to) => to.writeHead(302, { location }).end(),
  ]);
  return {
    'one wrong bit': (_, to, bytes) => to.end(bytes.with(0, bytes[0]! ^ 1)),
    'a byte too few': (_, to, bytes) => to.end(bytes.subarray(1)),
    'no bytes': (_, to) => to.end(),
    'bytes without end': (_, to) => pour(to),
    'fewer bytes than stated': (_, to, bytes) => {
      to.writeHead(200, { 'content-length': bytes.length + 10 }).write(bytes);
      setImmediate(() => to.destroy());
    },
    'a reset connection': ({ socket }) => socket.resetAndDestroy(),
    'a page in place of a file': (_, to) => to.end('<!doctype html><p>Hello'),
    'a 500': (_, to) => to.writeHead(500).end(),
    'a 304 that was not asked for': (_, to) => to.writeHead(304).end(),
    'a 206': (_, to, bytes) => to.writeHead(206).end(bytes.subarray(2)),
    'headers without end': ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const send = () => socket.writable && socket.write(`x-${'y'.repeat(9000)}: z\r\n`, send);
      send();
      socket.on('error', () => {});
    },
    'a response that is none': ({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\n'),
    ...Object.fromEntries(redirects),
  };
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
