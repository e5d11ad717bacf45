import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { ServerProcess } from './server-process.ts';

/** Returns this machine's nginx; undefined if there is none. */
export function findNginx(): string | undefined {
  return ['nginx', '/usr/sbin/nginx'].find((command) => !spawnSync(command, ['-v']).error);
}

/** Returns the directives of where nginx keeps what it is sent, in a folder of ours. */
export function temporaryPaths(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
}

/**
 * Starts nginx as one process on loopback that serves a folder, configured for speed.
 *
 * @param folder for its configuration and temporary files
 * @param path below the root that gets a 200
 */
export async function startNginx(
  command: string,
  root: string,
  folder: string,
  path: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await mkdir(folder, { recursive: true });
  await writeFile(file, configuration(root, folder, port));
  return ServerProcess.start(command, ['-c', file, '-e', 'stderr'], port, {}, path);
}

const configuration = (root: string, folder: string, port: number): string => `
daemon off;
master_process off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100;
  keepalive_requests 10000000;
  ${temporaryPaths(folder)}
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`;
