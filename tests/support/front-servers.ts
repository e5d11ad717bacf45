import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNginx } from '../bench/nginx.ts';
import { ServerProcess } from '../bench/server-process.ts';
import { freePort } from './free-port.ts';
import { ROOT, temporaryFolder } from './fixtures.ts';
import { listenOnFreePort, sampleApp } from './targets.ts';

type TestContext = Parameters<typeof temporaryFolder>[0];

/** The program; Debian has it outside of the PATH of users. */
export const NGINX = findNginx() ?? 'nginx';

const DEPLOY = join(ROOT, 'sidecar/deploy');

/** Tells if this machine has such a program. */
export function installed(command: string, versionArgument: string): boolean {
  return !spawnSync(command, [versionArgument]).error;
}

/** A sidecar of the sample edition to start a front server before. */
export async function behindFront(context: TestContext) {
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

type Behind = Awaited<ReturnType<typeof behindFront>>;

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
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const places: [shipped: string, here: string][] = [
    ['pid /run/nginx.pid;', `pid ${own}/nginx.pid; daemon off;`],
    ['access_log /var/log/nginx/access.log;', `access_log off; ${temporary.join(' ')}`],
    ['server 127.0.0.1:4321 ', `server ${sidecar} `],
    ['/var/cache/nginx/reviews', `${own}/cache`],
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
