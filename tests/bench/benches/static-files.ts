import { join } from 'node:path';
import { JSON_FEED_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import { compareServers, repeated } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { findNginx, startNginx } from '../nginx.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const REQUESTS = 2_000;
const BROTLI_BYTES = 60_000;

/** Compares the most frequent requests of a CDN with one nginx worker on the same files. */
export async function staticFiles({ editions, size, folder }: Tools): Promise<Row[]> {
  const command = findNginx();
  if (!command) throw new Error('nginx is not installed');
  const { client: edition } = await editions.of(size);
  const { resources } = (await readEdition(edition)).manifest;
  const { path, br } = resources
    .flatMap(({ path, encodings: { br } }) => (br ? [{ path, br }] : []))
    .sort((a, b) => Math.abs(a.br.size - BROTLI_BYTES) - Math.abs(b.br.size - BROTLI_BYTES))[0]!;
  await using subject = await ServerProcess.sidecar(edition, join(folder, 'static'));
  await using peer = await startNginx(command, edition, join(folder, 'nginx'), JSON_FEED_PATH);
  const notModified = async (server: ServerProcess) => {
    const headers = { 'if-none-match': await etagOf(server, JSON_FEED_PATH) };
    const asked = repeated(REQUESTS, JSON_FEED_PATH, { headers, status: 304 });
    return { server, job: () => asked };
  };
  const brotli = (server: ServerProcess, path: string) => {
    const asked = repeated(REQUESTS, path, { headers: { 'accept-encoding': 'br' } });
    return { server, job: () => asked };
  };
  return [
    {
      work: '304',
      against: 'one nginx worker',
      goal: { is: 'min', value: 0.2 },
      reason: 'node:http alone takes twice the time of nginx for “ok”, and h3 three times',
      ...(await compareServers(await notModified(subject), await notModified(peer))),
    },
    {
      work: `brotli, ${(br.size / 1000).toFixed(1)} kB`,
      against: 'one nginx worker',
      goal: { is: 'min', value: 0.25 },
      ...(await compareServers(brotli(subject, path), brotli(peer, `/${br.file}`))),
    },
  ];
}

async function etagOf({ port }: ServerProcess, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  });
  return response.headers.get('etag')!;
}
