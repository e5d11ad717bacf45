import { resolve } from 'node:path';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { checkEdition } from './edition/check-edition.ts';
import { CurrentEdition } from './edition/current-edition.ts';
import { openSource } from './edition/open-source.ts';
import { jsonLogger } from './log.ts';
import { meterEdition } from './metrics/edition-meters.ts';
import { NO_METERS } from './metrics/meters.ts';
import { serveMetrics } from './metrics/metrics-server.ts';
import type { Prometheus } from './metrics/prometheus.ts';
import { listen } from './server.ts';

/**
 * Wires everything together and runs until a signal.
 *
 * @throws when a setting is bad or there is no edition to serve
 */
export async function start(): Promise<void> {
  const config = readConfig(process.env);
  const logger = jsonLogger(config.LOG_LEVEL, (line) => process.stdout.write(line));
  const current = await CurrentEdition.open(
    openSource(config.EDITION),
    resolve(config.DATA_DIR),
    logger,
  );
  const { base_url: baseUrl, edition } = current.get().manifest;
  if (config.SITE_URL !== '' && new URL(config.SITE_URL).origin !== baseUrl) {
    logger.log('warn', "SITE_URL is not the edition's base_url, which holds", { baseUrl });
  }

  const { HOST: host, METRICS_PORT: metricsPort } = config;
  const metrics = metricsPort === undefined ? undefined : await loadPrometheus();
  const meters = metrics?.meters ?? NO_METERS;
  meterEdition(meters, current, Date.now);

  const app = createApp({
    edition: () => current.get(),
    logger,
    meters,
    now: () => performance.now(),
    searchRate: config.SEARCH_RATE,
    checks: { edition: () => checkEdition(current, Date.now()) },
  });
  const listening = { port: config.PORT, host, trustProxy: config.TRUST_PROXY };
  const server = await listen(app, listening, logger);
  if (metrics) {
    const { url } = await serveMetrics(metrics, { port: metricsPort!, host }, logger);
    logger.log('info', 'metrics', { url });
  }
  current.watch(config.REFRESH_SECONDS * 1000);
  logger.log('info', 'listening', {
    url: server.url,
    edition,
    reviews: current.get().search.lines.count,
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.log('info', 'stopping', { signal });
      current.stop();
      await server.close();
      process.exit(0);
    });
  }
}

/** Loaded only where somebody reads it: it would be a third of the time of a start. */
async function loadPrometheus(): Promise<Prometheus> {
  return (await import('./metrics/prometheus.ts')).prometheus();
}
