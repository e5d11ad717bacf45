import { join } from 'node:path';
import { JSON_FEED_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import { compareServers, repeated } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { findNginx, startNginx } from '../nginx.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const REVIEWS = 10_000;
const REQUESTS = 10_000;
const BROTLI_BYTES = 60_000;

/** Compares the most frequent requests of a CDN with one nginx worker on the same files. */
export async function staticFiles({ editions, client, folder }: Tools): Promise<Row[]> {
  const { client: edition } = await editions.of(REVIEWS);
  const { resources } = (await readEdition(edition)).manifest;
  const { path, br } = resources
    .flatMap(({ path, encodings: { br } }) => (br ? [{ path, br }] : []))
    .sort((a, b) => Math.abs(a.br.size - BROTLI_BYTES) - Math.abs(b.br.size - BROTLI_BYTES))[0]!;
  const rows: Row[] = [row('304', 0.65), row(`brotli, ${(br.size / 1000).toFixed(1)} kB`, 0.7)];
  const command = findNginx();
  if (!command) {
    return rows.map((row) => ({ ...row, note: 'skipped: nginx is not installed' }));
  }
  const subject = await ServerProcess.sidecar(edition, join(folder, 'static'));
  try {
    const peer = await startNginx(command, edition, join(folder, 'nginx'), JSON_FEED_PATH);
    try {
      const notModified = async (server: ServerProcess) => {
        const headers = { 'if-none-match': await etagOf(server, JSON_FEED_PATH) };
        const job = repeated(REQUESTS, JSON_FEED_PATH, headers, 304);
        return { server, job: () => job };
      };
      const brotli = (server: ServerProcess, path: string) => {
        const job = repeated(REQUESTS, path, { 'accept-encoding': 'br' });
        return { server, job: () => job };
      };
      const comparisons = [
        await compareServers(client, await notModified(subject), await notModified(peer)),
        await compareServers(client, brotli(subject, path), brotli(peer, `/${br.file}`)),
      ];
      return rows.map((row, at) => ({ ...row, ...comparisons[at] }));
    } finally {
      await peer.stop();
    }
  } finally {
    await subject.stop();
  }
}

function row(work: string, least: number): Row {
  return {
    work,
    against: 'one nginx worker',
    ratio: undefined,
    goal: { is: 'least', value: least },
    note: '',
  };
}

async function etagOf({ port }: ServerProcess, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  });
  return response.headers.get('etag')!;
}
