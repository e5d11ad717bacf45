import { createServer } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { listenOn } from '../base/listen-on.ts';
import type { Logger } from '../base/log.ts';
import type { Meters } from '../base/meters.ts';

/** Seconds: a 304 takes a tenth of a millisecond, a large answer some tens. */
const BUCKETS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** Creates meters for Prometheus, including those of the process: event-loop delay, memory, GC. */
export function prometheus() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const meters: Meters = {
    counter(name, help, labels = []) {
      const known = registry.getSingleMetric(name) as Counter | undefined;
      const counter = known ?? new Counter({ name, help, labelNames: [...labels], registers });
      return (values, by = 1) => counter.inc(values, by);
    },
    durations(name, help, labels) {
      const labelNames = [...labels];
      const histogram = new Histogram({ name, help, labelNames, registers, buckets: BUCKETS });
      return (values, seconds) => histogram.observe(values, seconds);
    },
    gauge(name, help, labels, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          const samples = await read();
          gauge.reset();
          for (const [values, value] of samples) gauge.set(values, value);
        },
      });
    },
  };
  return {
    meters,
    contentType: registry.contentType,
    /** Returns all values in the text format of Prometheus. */
    text: () => registry.metrics(),
  };
}

/** Serves `GET /metrics` on its own port, which should stay internal. Returns its address. */
export async function serveMetrics(
  { text, contentType }: Omit<ReturnType<typeof prometheus>, 'meters'>,
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
  const url = await listenOn(server, { host, port, setting: 'METRICS_PORT' });
  return { url: `${url}metrics` };
}
