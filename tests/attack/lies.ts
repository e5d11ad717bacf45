import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Manifest } from '../../src/edition/manifest.ts';

/** Something an origin does at one path in place of sending the file. */
export interface FileLie {
  name: string;
  answer: (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;
}

/** Something an origin says in edition.json. */
export interface ManifestLie {
  name: string;
  change: (manifest: Manifest) => unknown;
}

const MEGABYTE = 2 ** 20;

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
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(MEGABYTE);
  const send = () => {
    if (response.destroyed) return;
    if (response.write(chunk)) setImmediate(send);
    else response.once('drain', send);
  };
  send();
}

const robots = ({ resources }: Manifest) => resources.find(({ file }) => file === 'robots.txt')!;

export const MANIFEST_LIES: readonly ManifestLie[] = [
  ...[
    'x\n/../../../escaped',
    '../../escaped',
    '/tmp/escaped',
    'a/../../../escaped',
    '.search-index',
    'edition.json',
    'feed.xml',
    'feed.xml/below',
    'con\u0000fused',
    'x'.repeat(5000),
    Array.from({ length: 400 }, () => 'deep').join('/'),
  ].map((file) => ({
    name: `a file ${JSON.stringify(file.slice(0, 40))}`,
    change: (manifest: Manifest) => (robots(manifest).file = file),
  })),
  { name: 'a file of 3 GB', change: (manifest) => (robots(manifest).size = 3e9) },
  { name: 'a file of 8 PB', change: (manifest) => (robots(manifest).size = 2 ** 53 - 1) },
  { name: 'a header set that is not there', change: (all) => (robots(all).headers = 4000) },
  { name: 'a header with a line break', change: (all) => (all.header_sets[0]!.x = 'a\r\nb: c') },
  {
    name: 'a framing header',
    change: (all) => (all.header_sets[0]!['transfer-encoding'] = 'chunked'),
  },
  { name: 'another script as base_url', change: (all) => (all.base_url = 'javascript:alert(1)') },
  { name: 'a path twice', change: ({ resources }) => (resources[1]!.path = resources[0]!.path) },
  { name: 'no resources', change: (all) => (all.resources = []) },
  { name: 'no header sets', change: (all) => (all.header_sets = []) },
  { name: 'a time that is none', change: (all) => (all.last_modified = 'yesterday') },
];

/** Texts at the place of edition.json that are no manifest. */
export const MANIFEST_TEXTS: Readonly<Record<string, () => string | Buffer>> = {
  'an empty manifest': () => '',
  'a manifest of brackets': () => '['.repeat(4 * MEGABYTE),
  'a manifest of small objects': () => `[${'{},'.repeat(2.6 * MEGABYTE)}{}]`,
  'a manifest that is null': () => 'null',
  'a manifest of wrong bytes': () => Buffer.alloc(100, 0xff),
  'a manifest with a prototype': () => '{"__proto__":{"format":1},"format":1}',
  'a manifest without end': () => Buffer.alloc(40 * MEGABYTE, 0x20),
};
