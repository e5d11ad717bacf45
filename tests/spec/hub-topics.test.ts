import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytesOf, exchange } from '../support/http.ts';
import { onLoopback } from '../support/hub-process.ts';

// Contract, section 6, and the journal's topic: subscribers of each topic get the served file, byte for byte.

const TYPES = {
  '/feed.xml': 'application/atom+xml',
  '/api/feed.json': 'application/json',
  '/reviews.json': 'application/json',
  '/changes.json': 'application/json',
};

test('a change is pushed as it is served, with its type and its signature', async (context) => {
  const { start, edition, callbacks, received, request } = await onLoopback(context);
  const { url } = await start();
  for (const path of Object.keys(TYPES)) {
    const secret = `secret of ${path}`;
    const callback = callbacks.url(`${path}?token=a%2Fb`);
    await request(url, { mode: 'subscribe', topic: edition.topic(path), callback, secret });
    await received((one) => one.method === 'GET' && one.path.startsWith(path));
  }
  await edition.put(1, Object.keys(TYPES));
  await request(url, { mode: 'publish', url: edition.topic() });
  for (const [path, type] of Object.entries(TYPES)) {
    const target = `${path}?token=a%2Fb`;
    const pushed = await received((one) => one.method === 'POST' && one.path === target);
    const served = await exchange(url, path);
    assert.deepEqual(pushed.body, await bytesOf(served), path);
    assert.deepEqual(pushed.body, await readFile(join(edition.folder, path)), path);
    assert.equal(pushed.headers['content-type'], type);
    assert.equal(pushed.headers.etag, served.headers.get('etag'));
    assert.equal(pushed.headers.link, served.headers.get('link'));
    const mac = createHmac('sha256', `secret of ${path}`).update(pushed.body).digest('hex');
    assert.equal(pushed.headers['x-hub-signature'], `sha256=${mac}`);
  }
});
