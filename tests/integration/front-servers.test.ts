import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findNginx } from '../bench/nginx.ts';
import { ServerProcess } from '../bench/server-process.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { exchange } from '../support/http.ts';
import { run } from '../support/run.ts';
import { runSpecSuite } from '../support/spec-suite.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';
import { testCa } from '../support/test-ca.ts';

/** The program; Debian has it outside of the PATH of users. */
const NGINX = findNginx() ?? 'nginx';

const DEPLOY = join(ROOT, 'sidecar/deploy');

/** Tells if this machine has such a program. */
function installed(command: string, versionArgument: string): boolean {
  return !spawnSync(command, [versionArgument]).error;
}

/** Go's HTTP server refuses an address that is no percent-encoded UTF-8 itself. */
const GO_DECIDES = [
  'an address that is no percent-encoded UTF-8 is a 400',
  'every answer is of the type it says, and tells other sites no path',
  'a page takes nothing inline and nothing foreign but pictures',
];

/** Suites of what a front could change: addresses, methods, headers, statuses and encodings. */
const BEHIND_A_FRONT =
  '{authentication,conditional,cross-origin,encoding,errors,head,headers,hub-request,mcp-session,' +
  'mcp-transport,paths,range,search-parameters}';

/** Caddy has no cache and passes all on, so fewer could differ. */
const BEHIND_CADDY = '{conditional,encoding,errors,head,headers,paths,range}';

const FRONTS = [
  {
    name: 'nginx',
    command: NGINX,
    version: '-v',
    start: nginxWithTls,
    except: [],
    suites: BEHIND_A_FRONT,
  },
  {
    name: 'Caddy',
    command: 'caddy',
    version: 'version',
    start: caddy,
    except: GO_DECIDES,
    suites: BEHIND_CADDY,
  },
];

for (const { name, command, version, start, except, suites } of FRONTS) {
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

    await context.test(
      'browsers are kept on https by a header that http answers lack',
      async () => {
        await assertKeepsOnHttps();
        for (const path of ['/reviews.json', '/', '/api/reviews/search', '/nothing', '/%zz']) {
          const { headers } = await exchange(url, path);
          assert.equal(headers.get('strict-transport-security'), null, path);
        }
      },
    );

    await context.test(
      'the rate of a client belongs to its address, whatever its headers say',
      async (inner) => {
        const limited = await start(inner, { ...behind, sidecar: await limitedSidecar(inner) });
        const statuses = [];
        for (let round = 0; round < 4; round++) {
          const headers = { 'x-forwarded-for': `192.0.2.${round}` };
          statuses.push(
            (await exchange(limited.url, `/api/reviews/search?query=${round}`, { headers })).status,
          );
        }
        assert.deepEqual(statuses, [200, 200, 429, 429]);
      },
    );
  });
}

test(
  'nginx answers from its cache while no sidecar runs, but no program that asks for what is current',
  {
    skip: !installed(NGINX, '-v') && 'nginx is not installed',
  },
  async (context) => {
    const behind = await behindFront(context);
    const url = await startNginx(context, behind);
    const read = async (headers: Record<string, string> = {}) =>
      exchange(url, '/summary.json', { headers });
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
  { skip: !existsSync('/etc/nginx') && 'nginx is not installed' },
  async () => {
    const configuration = await readFile(join(DEPLOY, 'nginx.conf'), 'utf8');
    const places = [
      ...configuration.matchAll(/^\s*(?:pid|access_log|proxy_cache_path) ([^\s;]+)/gm),
    ];
    assert.equal(places.length, 3);
    // nginx makes the last folder of a cache, and no other.
    for (const [, place] of places) assert.ok(existsSync(dirname(place!)), place);
  },
);

/** Starts a sidecar that trusts its proxy and allows each client two searches per minute. */
async function limitedSidecar(context: TestContext): Promise<string> {
  const app = await sampleApp({ searchRate: 2 });
  const server = await listenOnFreePort(app, { trustProxy: 'loopback' });
  context.after(() => server.close());
  return new URL(server.url).host;
}

type Behind = Awaited<ReturnType<typeof behindFront>>;

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
      for (const path of ['/reviews.json', '/', '/api/reviews/search', '/nothing', '/%zz']) {
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

/** A sidecar of the sample edition to start a front server before. */
async function behindFront(context: TestContext) {
  const folder = await temporaryFolder(context);
  await chmod(folder, 0o755); // nginx serves as nobody where it is started by root
  const port = await freePort();
  const app = await sampleApp();
  let server: Awaited<ReturnType<typeof listenOnFreePort>> | undefined;
  const startSidecar = async (): Promise<void> => {
    server = await listenOnFreePort(app, { trustProxy: 'loopback', port });
  };
  const stopSidecar = async (): Promise<void> => {
    await server?.close();
    server = undefined;
  };
  await startSidecar();
  context.after(stopSidecar);
  return { folder, sidecar: `127.0.0.1:${port}`, startSidecar, stopSidecar };
}

/**
 * Starts nginx with the configuration that is shipped, but for its places.
 *
 * @param more directives of its server
 */
async function startNginx(context: TestContext, behind: Behind, more = ''): Promise<string> {
  const { folder, sidecar } = behind;
  const port = await freePort();
  const own = await mkdtemp(join(folder, 'nginx-'));
  await chmod(own, 0o755);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const places: [shipped: string, here: string][] = [
    ['pid /run/nginx.pid;', `pid ${own}/nginx.pid; daemon off;`],
    ['access_log /var/log/nginx/access.log;', `access_log off; ${temporary.join(' ')}`],
    ['server 127.0.0.1:4321 ', `server ${sidecar} `],
    ['/var/cache/nginx-reviews', `${own}/cache`],
    ['listen 80;', `listen 127.0.0.1:${port}; ${more}`],
  ];
  let configuration = await readFile(join(DEPLOY, 'nginx.conf'), 'utf8');
  for (const [shipped, here] of places) {
    if (configuration.split(shipped).length !== 2) throw new Error(`nginx.conf: ${shipped}`);
    configuration = configuration.replace(shipped, here);
  }
  const file = join(own, 'nginx.conf');
  await writeFile(file, configuration);
  const args = ['-c', file, '-e', join(own, 'error.log')];
  return started(context, NGINX, args, port);
}

/** Starts Caddy with the configuration that is shipped. */
async function startCaddy(context: TestContext, behind: Behind): Promise<string> {
  const { folder, sidecar } = behind;
  const port = await freePort();
  const home = await mkdtemp(join(folder, 'caddy-'));
  return started(context, 'caddy', ['run', '--config', join(DEPLOY, 'Caddyfile')], port, {
    SITE_ADDRESS: `http://127.0.0.1:${port}`,
    SIDECARS: sidecar,
    CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
  });
}

async function started(
  context: TestContext,
  command: string,
  args: readonly string[],
  port: number,
  env: Record<string, string> = {},
): Promise<string> {
  const server = await ServerProcess.start(command, args, port, env, '/robots.txt');
  context.after(() => server.stop());
  return `http://127.0.0.1:${port}`;
}
