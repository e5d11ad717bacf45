import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../base/log.ts';
import type { Prometheus } from './prometheus.ts';

/** Serves `GET /metrics` on its own port, which should stay internal. Returns its address. */
export async function serveMetrics(
  { text, contentType }: Prometheus,
  { port, host }: { port: number; host: string },
  logger: Logger,
): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': contentType }).end(body),
      (error: unknown) => {
        logger.log('error', 'metrics failed', { error });
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://${host}:${taken}/metrics` };
}
