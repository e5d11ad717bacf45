import { Connection } from './connection.ts';
import type { Job, Outcome } from './job.ts';

// Runs jobs for the bench; ends when the bench disconnects.
process.on('message', async (job: Job) => {
  process.send!(await run(job).catch((error: Error) => ({ error: error.stack })));
});

/** Sends every request once, as fast as the connections allow. */
async function run(job: Job): Promise<Outcome> {
  const headers = Object.entries({ host: `127.0.0.1:${job.port}`, ...job.headers });
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const requests = job.paths.map((path, index) => {
    const body = job.bodies?.[index];
    if (body === undefined) return `GET ${path} HTTP/1.1\r\n${fields}\r\n`;
    const length = Buffer.byteLength(body);
    return `POST ${path} HTTP/1.1\r\n${fields}content-length: ${length}\r\n\r\n${body}`;
  });
  const connections = Array.from(
    { length: job.connections },
    () => new Connection(job.port, job.status),
  );
  let next = 0;
  let bytes = 0;
  const started = performance.now();
  try {
    await Promise.all(
      connections.map(async (connection) => {
        while (next < requests.length) {
          const size = await connection.ask(requests[next++]!);
          bytes += size; // after the wait: the connections share the sum
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
  return { seconds: (performance.now() - started) / 1000, bytes };
}
