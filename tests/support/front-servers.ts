import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerProcess } from '../bench/server-process.ts';
import { freePort } from './free-port.ts';
import { smallEdition } from './edition-folder.ts';
import { ROOT, temporaryFolder } from './fixtures.ts';
import { run } from './run.ts';
import { listenOnFreePort, sampleApp } from './targets.ts';

type TestContext = Parameters<typeof temporaryFolder>[0];

const DEPLOY = join(ROOT, 'sidecar/deploy');

/** Tells if this machine has such a program. */
export function installed(command: string, versionArgument: string): boolean {
  return !spawnSync(command, [versionArgument]).error;
}

/** The small edition for a front server, and a sidecar of the sample edition behind it. */
export async function behindFront(context: TestContext) {
  const folder = await temporaryFolder(context);
  const edition = join(folder, 'edition');
  const front = join(folder, 'front');
  await chmod(folder, 0o755); // nginx serves as nobody where it is started by root
  await cp(await smallEdition(), edition, { recursive: true });
  await chmod(edition, 0o755);
  await run(process.execPath, ['src/commands/main.ts', 'proxy-config', edition, front]);
  const server = await listenOnFreePort(await sampleApp());
  let open = true;
  const stopSidecar = async (): Promise<void> => {
    if (open) await server.close();
    open = false;
  };
  context.after(stopSidecar);
  return { folder, edition, front, sidecar: new URL(server.url).host, stopSidecar };
}

type Behind = Awaited<ReturnType<typeof behindFront>>;

/**
 * Starts nginx with the configuration that is shipped, but for its places.
 *
 * @param more directives of its server
 */
export async function startNginx(context: TestContext, behind: Behind, more = ''): Promise<string> {
  const { folder, front, sidecar } = behind;
  const port = await freePort();
  const own = await mkdtemp(join(folder, 'nginx-'));
  await chmod(own, 0o755);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const places: [shipped: string, here: string][] = [
    ['pid /run/nginx.pid;', `pid ${own}/nginx.pid; daemon off;`],
    ['access_log /var/log/nginx/access.log;', `access_log off; ${temporary.join(' ')}`],
    ['server 127.0.0.1:4321;', `server ${sidecar};`],
    ['/srv/reviews/front/edition-maps.conf', `${front}/edition-maps.conf`],
    ['/srv/reviews/front/edition-locations.conf', `${front}/edition-locations.conf`],
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
  return started(context, '/usr/sbin/nginx', args, port);
}

/** Caddy with the configuration that is shipped. */
export async function startCaddy(context: TestContext, behind: Behind): Promise<string> {
  const { folder, edition, sidecar } = behind;
  const port = await freePort();
  const home = await mkdtemp(join(folder, 'caddy-'));
  return started(context, 'caddy', ['run', '--config', join(DEPLOY, 'Caddyfile')], port, {
    SITE_ADDRESS: `http://127.0.0.1:${port}`,
    SITE_URL: 'http://localhost:4321',
    EDITION_FOLDER: edition,
    SIDECARS: sidecar,
    ETAG_FILES: caddyReadsETags() ? 'etag_file_extensions .etag' : '',
    CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
  });
}

/** ETags from files came with Caddy 2.9. */
export function caddyReadsETags(): boolean {
  const version = spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout;
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version)!.map(Number);
  return major! > 2 || (major === 2 && minor! >= 9);
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
