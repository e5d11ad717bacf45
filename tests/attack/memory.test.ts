import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { SearchIndex } from '../../src/search/search-index.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { eventually, realTime } from '../support/eventually.ts';
import { collectGarbage } from '../support/garbage.ts';
import { exchange } from '../support/http.ts';
import { multiplyReviews } from '../support/multiply-reviews.ts';
import { linesOf, review } from '../support/reviews.ts';
import { startSidecar } from '../support/sidecar-process.ts';

const COPIES = 10; // more in one answer than the buffers on the way take
const DOWNLOADERS = 20;
const DOWNLOADS = 2_000;
const CONNECTIONS = 3_000;
/** Times the memory of before. */
const MAX_TIMES = 1.3;
const BACK_MS = 60_000;
const isLinux = process.platform === 'linux';

test(
  'memory falls back after unread downloads and thousands of connections',
  { skip: !isLinux },
  async (context) => {
    const { source, dataDir } = await editionFolder(context);
    await multiplyReviews(source, COPIES);
    const env = { EDITION: source, DATA_DIR: dataDir, METRICS_PORT: 'off', RATE_LIMIT: '0' };
    const { url, child } = await startSidecar(env, context);
    const residentBytes = () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
    };
    for (let asked = 0; asked < 200; asked++) {
      await exchange(url, asked % 2 === 0 ? '/reviews.json' : '/search/?query=great');
    }
    const before = residentBytes();
    const opened: Socket[] = [];
    const open = (bytes: string): void => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(bytes);
      opened.push(socket);
    };
    const download = 'GET /reviews.json HTTP/1.1\r\nhost: a\r\n\r\n';
    for (let each = 0; each < DOWNLOADERS; each++) open(download.repeat(DOWNLOADS));
    for (let each = 0; each < CONNECTIONS; each++) open('');
    await eventually(() => opened.filter(({ pending }) => pending).length === 0);
    assert.equal((await exchange(url, '/healthz')).status, 200);
    const highest = residentBytes();
    for (const socket of opened) socket.destroy();
    const until = performance.now() + BACK_MS;
    while (residentBytes() > MAX_TIMES * before && performance.now() < until) await realTime(500);
    const after = residentBytes();
    context.diagnostic(
      [before, highest, after].map((bytes) => `${Math.round(bytes / 1e6)} MB`).join(', '),
    );
    assert.ok(after <= MAX_TIMES * before, `${after} bytes after ${before}`);
  },
);

test('queries that find nothing are forgotten', async () => {
  const index = new SearchIndex(linesOf([review({ text: 'a good day' })]), {});
  const growth = async (match: 'substring' | 'words') => {
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let asked = 0; asked < 5_000; asked++) {
      const query = `${asked} ${'x'.repeat(1_990)}`;
      assert.equal(index.search({ query, match, limit: 1 }).matched, 0);
    }
    await collectGarbage();
    return process.memoryUsage().heapUsed - before;
  };
  for (const match of ['substring', 'words'] as const) {
    const grown = await growth(match);
    assert.ok(grown < 3_000_000, `${match}: ${grown} bytes of 10,000,000 asked for`);
  }
});
