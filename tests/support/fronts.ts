import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { findNginx, startNginx as startNginxOnFiles, temporaryPaths } from '../bench/nginx.ts';
import { ServerProcess } from '../bench/server-process.ts';
import { ROOT, temporaryFolder } from './fixtures.ts';
import { freePort } from './free-port.ts';
import { exchange, type RequestOptions } from './http.ts';
import { listenOnFreePort, sampleApp, type SampleOptions } from './targets.ts';

/** The programs; Debian has them outside of the PATH of users. */
export const NGINX = findNginx() ?? 'nginx';
export const APACHE = '/usr/sbin/apache2';
export const VARNISH = '/usr/sbin/varnishd';

/** Header of every response, as for an edition whose license permits search. */
export const CONTENT_USAGE = 'search=y';

export const DEPLOY = join(ROOT, 'sidecar/deploy');

/** Tells if this machine has such a program. */
export function installed(command: string, versionArgument: string): boolean {
  return !spawnSync(command, [versionArgument]).error;
}

export type Behind = Awaited<ReturnType<typeof behindFront>>;

/** A sidecar of the sample edition to start a front server before. */
export async function behindFront(context: TestContext, options: SampleOptions = {}) {
  const folder = await temporaryFolder(context);
  await chmod(folder, 0o755); // nginx serves as nobody where it is started by root
  const port = await freePort();
  const app = await sampleApp(options);
  let server: Awaited<ReturnType<typeof listenOnFreePort>> | undefined;
  const startSidecar = async (): Promise<void> => {
    const site = { contentUsage: CONTENT_USAGE };
    server = await listenOnFreePort(app, { trustProxy: 'loopback', port, site });
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
export async function startNginx(context: TestContext, behind: Behind, more = ''): Promise<string> {
  const { folder, sidecar } = behind;
  const port = await freePort();
  const own = await mkdtemp(join(folder, 'nginx-'));
  await chmod(own, 0o755);
  const places: [shipped: string, here: string][] = [
    ['pid /run/nginx.pid;', `pid ${own}/nginx.pid; daemon off;`],
    ['access_log /var/log/nginx/access.log;', `access_log off; ${temporaryPaths(own)}`],
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
export async function startCaddy(context: TestContext, behind: Behind): Promise<string> {
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

/** Starts Apache with modules, by their names, and directives. */
export async function startApacheWith(
  context: TestContext,
  port: number,
  modules: string,
  directives: readonly string[],
): Promise<string> {
  const own = await temporaryFolder(context);
  await chmod(own, 0o755);
  const file = join(own, 'apache.conf');
  const lines = [
    `ServerRoot ${own}`,
    `PidFile ${own}/apache.pid`,
    `ErrorLog ${own}/error.log`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    'User nobody',
    'Group nogroup',
    ...`mpm_event authz_core ${modules}`
      .split(' ')
      .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    ...directives,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  return started(context, APACHE, ['-DFOREGROUND', '-f', file], port);
}

/** Starts Apache as its manual describes a proxy that compresses. */
export async function startApache(context: TestContext, { sidecar }: Behind): Promise<string> {
  return startApacheWith(context, await freePort(), 'proxy proxy_http filter deflate', [
    'AddOutputFilterByType DEFLATE text/html text/plain text/css application/json application/atom+xml',
    `ProxyPass / http://${sidecar}/`,
  ]);
}

/** Starts Varnish with nothing but the address behind it. */
export async function startVarnish(context: TestContext, behind: Behind): Promise<string> {
  const port = await freePort();
  const own = await mkdtemp(join(tmpdir(), 'varnish-')); // it needs the folder until it ends
  const args = ['-F', '-j', 'none', '-n', own, '-s', 'malloc,16m', '-T', 'none'];
  const addresses = ['-a', `127.0.0.1:${port}`, '-b', behind.sidecar];
  const quiet = ['-c', 'exec "$0" "$@" >/dev/null 2>&1', VARNISH];
  const url = await started(context, 'sh', [...quiet, ...args, ...addresses], port);
  context.after(() => rm(own, { recursive: true, force: true }));
  return url;
}

/** Starts a server of a folder of files. */
type StartFileServer = (context: TestContext, root: string) => Promise<string>;

/** Servers of files as their packages configure them, each with a table of types of its own. */
export const FILE_SERVERS: readonly [command: string, start: StartFileServer][] = [
  [
    NGINX,
    async (context, root) => {
      const folder = await temporaryFolder(context);
      const server = await startNginxOnFiles(NGINX, root, folder, '/robots.txt');
      context.after(() => server.stop());
      return `http://127.0.0.1:${server.port}`;
    },
  ],
  [
    'caddy',
    async (context, root) => {
      const port = await freePort();
      const args = ['file-server', '--root', root, '--listen', `127.0.0.1:${port}`];
      return started(context, 'caddy', args, port);
    },
  ],
  [
    'python3',
    async (context, root) => {
      const port = await freePort();
      const args = ['-m', 'http.server', '--bind', '127.0.0.1', '-d', root, String(port)];
      return started(context, 'python3', args, port);
    },
  ],
];

interface Worker {
  fetch: (request: Request, env: Record<string, string>) => Promise<Response>;
}

/** The program that Cloudflare runs in front of a sidecar. */
export async function loadWorker(): Promise<Worker> {
  const module = join(DEPLOY, 'cloudflare/worker.js');
  return ((await import(module)) as { default: Worker }).default;
}

/**
 * Runs the worker before a sidecar as Cloudflare does: its requests have the Host of the address that they go
 * to, which is the sidecar's own.
 *
 * @returns a function that asks the site
 */
export async function startWorker(context: TestContext, sidecar: string) {
  const worker = await loadWorker();
  const send = async (request: Request) => {
    const { host, pathname, search } = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), host };
    const body = Buffer.from(await request.arrayBuffer());
    return exchange(`http://${sidecar}`, pathname + search, {
      method: request.method,
      headers,
      ...(body.length > 0 && { body }),
    });
  };
  context.mock.method(globalThis, 'fetch', send);
  const env = { SIDECAR_ORIGIN: 'http://sidecar.example.net' };
  return (path: string, init?: RequestOptions) =>
    worker.fetch(new Request(`https://reviews.example.com${path}`, init), env);
}
