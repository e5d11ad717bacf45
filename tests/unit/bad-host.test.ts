import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from '../support/http.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

// RFC 9112, section 3.2: an invalid Host is answered 400.

test('a Host that can be in no address is 400, whatever is asked for', async (context) => {
  const server = await listenOnFreePort(await sampleApp());
  context.after(() => server.close());
  const statusOf = async (path: string, host: string) =>
    (await exchange(server.url, path, { headers: { host } })).status;
  for (const path of ['/reviews.json', '/reviews%2Ejson', '/nothing=%27']) {
    for (const host of ['1x.0.0.1', '1.2.3.999', '127.0.0.1:99999']) {
      assert.equal(await statusOf(path, host), 400, `${path} of ${host}`);
    }
  }
  for (const host of ['reviews.example', '[::1]:80', 'a_b']) {
    assert.equal(await statusOf('/reviews.json', host), 200, host);
  }
});
