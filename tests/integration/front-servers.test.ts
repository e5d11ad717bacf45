import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { freePort } from '../support/free-port.ts';
import {
  behindFront,
  DEPLOY,
  installed,
  NGINX,
  startCaddy,
  startNginx,
  type Behind,
} from '../support/fronts.ts';
import { exchange } from '../support/http.ts';
import { run } from '../support/run.ts';
import { runSpecSuite } from '../support/spec-suite.ts';
import { serveSample } from '../support/targets.ts';
import { testCa } from '../support/test-ca.ts';

/** Go's HTTP server refuses an address that is no percent-encoded UTF-8 itself, without our headers. */
const GO_DECIDES = [
  'every answer is of the type it says, and tells other sites no path',
  'a page takes nothing foreign but pictures, and nothing inline but by its hash',
];

/** Suites of what a front could change: addresses, methods, headers, statuses and encodings. */
const BEHIND_A_FRONT =
  '{authentication,conditional,cross-origin,encoding,errors,head,headers,hub-request,mcp-session,' +
  'mcp-transport,paths,range,search-parameters}';

/** Caddy has no cache and passes all on, so fewer could differ. */
const BEHIND_CADDY = '{conditional,encoding,errors,head,headers,paths,range}';

const NGINX_FRONT = {
  name: 'nginx',
  command: NGINX,
  version: '-v',
  start: nginxWithTls,
  except: [],
  suites: BEHIND_A_FRONT,
};
const CADDY_FRONT = {
  name: 'Caddy',
  command: 'caddy',
  version: 'version',
  start: caddy,
  except: GO_DECIDES,
  suites: BEHIND_CADDY,
};
const PATHS = ['/reviews.json', '/', '/api/reviews/search', '/nothing', '/%zz'];

for (const { name, command, version, start, except, suites } of [NGINX_FRONT, CADDY_FRONT]) {
  const skip = !installed(command, version) && `${command} is not installed`;

  test(`through ${name}`, { skip }, async (context) => {
    const behind = await behindFront(context);
    const { url, assertKeepsOnHttps } = await start(context, behind);

    await context.test('the spec suite passes', async () => {
      const { passed, failures } = await runSpecSuite(url, except, suites);
      assert.deepEqual(failures, []);
      assert.ok(passed > 40, `${passed} passed`);
    });

    await context.test('a request keeps its id, on files and behind', async () => {
      for (const path of ['/reviews.json', '/api/reviews/search']) {
        const { headers } = await exchange(url, path);
        assert.match(headers.get('x-request-id') ?? '', /^[\da-f-]{32,36}$/, path);
      }
      const headers = { 'x-request-id': 'given-1' };
      const search = await exchange(url, '/api/reviews/search', { headers });
      assert.equal(search.headers.get('x-request-id'), 'given-1');
    });

    await context.test('a header that http answers lack keeps browsers on https', async () => {
      await assertKeepsOnHttps();
      for (const path of PATHS) {
        const { headers } = await exchange(url, path);
        assert.equal(headers.get('strict-transport-security'), null, path);
      }
    });

    await context.test(
      'the rate of a client is of its address, whatever it says',
      async (inner) => {
        const now = () => 0; // what is computed costs no time
        const own = await serveSample(inner, { searchRate: 2, now }, { trustProxy: 'loopback' });
        const limited = await start(inner, { ...behind, sidecar: new URL(own).host });
        const statuses = [];
        for (let round = 0; round < 4; round++) {
          const headers = { 'x-forwarded-for': `192.0.2.${round}` };
          const path = `/api/reviews/search?query=${round}`;
          statuses.push((await exchange(limited.url, path, { headers })).status);
        }
        assert.deepEqual(statuses, [200, 200, 429, 429]);
      },
    );
  });
}

const skip = !installed(NGINX, '-v') && 'nginx is not installed';

test(
  'nginx answers what may be old from its cache while no sidecar runs',
  { skip },
  async (context) => {
    const behind = await behindFront(context);
    const url = await startNginx(context, behind);
    const read = (headers: Record<string, string>) => exchange(url, '/summary.json', { headers });
    const fresh = await read({ 'x-request-id': 'first' });
    await behind.stopSidecar();
    const kept = await read({ 'x-request-id': 'second' });
    assert.equal(kept.status, 200);
    assert.equal(kept.headers.get('etag'), fresh.headers.get('etag'));
    assert.equal(kept.headers.get('x-request-id'), 'second');
    assert.equal((await read({ 'cache-control': 'no-cache' })).status, 502);
    // One failure does not take the only sidecar away.
    await behind.startSidecar();
    assert.equal((await read({ 'cache-control': 'no-cache' })).status, 200);
  },
);

test(
  'the places of the nginx configuration are there where Debian has installed it',
  {
    skip: !existsSync('/etc/nginx') && 'nginx is not installed',
  },
  async () => {
    const configuration = await readFile(join(DEPLOY, 'nginx.conf'), 'utf8');
    const places = configuration.matchAll(/^\s*(?:pid|access_log|proxy_cache_path) ([^\s;]+)/gm);
    const folders = Array.from(places, ([, place]) => dirname(place!));
    assert.equal(folders.length, 3);
    // nginx makes the last folder of a cache, and no other.
    for (const folder of folders) assert.ok(existsSync(folder), folder);
  },
);

/** Starts nginx, which listens for TLS too. */
async function nginxWithTls(context: TestContext, behind: Behind) {
  const { ca, issue } = testCa();
  const { key, cert } = issue(['127.0.0.1']);
  const pem = join(behind.folder, 'tls.pem');
  await writeFile(pem, cert + key);
  const port = await freePort();
  const tls = `listen 127.0.0.1:${port} ssl; ssl_certificate ${pem}; ssl_certificate_key ${pem};`;
  return {
    url: await startNginx(context, behind, tls),
    assertKeepsOnHttps: async () => {
      for (const path of PATHS) {
        const asked = get({ host: '127.0.0.1', port, path, ca });
        const [secure] = (await once(asked, 'response')) as [IncomingMessage];
        secure.resume();
        assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000', path);
      }
    },
  };
}

/** Starts Caddy; of what it says over TLS, which it sets up itself, its configuration tells. */
async function caddy(context: TestContext, behind: Behind) {
  return {
    url: await startCaddy(context, behind),
    assertKeepsOnHttps: async () => {
      const { stdout } = await run('caddy', ['adapt', '--config', 'sidecar/deploy/Caddyfile']);
      const adapted = JSON.stringify(JSON.parse(stdout));
      const secured =
        /"Strict-Transport-Security":\["max-age=31536000"\]\}\}\}\],"match":\[\{"protocol":"https"\}\]/;
      assert.match(adapted, secured);
    },
  };
}
