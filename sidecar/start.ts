import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { areKeys, parsePublicKeys } from '../src/edition/signature.ts';
import { createApp } from './app.ts';
import { lockDataDir, nameDataDir, secretOf } from './base/data-dir.ts';
import { readConfig, removedSettings, type Config } from './base/config.ts';
import { CurrentEdition } from './edition/current-edition.ts';
import { createAccessLog } from './http/access-log.ts';
import { openSource } from './edition/origin-source.ts';
import { SignaturePolicy } from './edition/signature-policy.ts';
import { createPageCheck, findRenderer } from './http/health.ts';
import { jsonLogger, type Logger } from './base/log.ts';
import { meterEdition } from './metrics/edition-meters.ts';
import { NO_METERS } from './base/meters.ts';
import { listen } from './server.ts';
import type { Services } from './services.ts';

/** Searches and computed reviews per minute and client. */
const SEARCHES = 600;
/** Bytes of files and listings per minute and client. */
const DOWNLOAD_BYTES = 1_000_000_000;
/** Time for readers who waited for the port to open, because nothing is answered while code is loaded. */
const FIRST_READS_MS = 100;
/** Busy connections send a request in that time, and learn that they end. */
const FAREWELL_MS = 1_000;

/**
 * Wires everything together and runs until a signal. The port opens once files can be served. Searches, MCP
 * and the hub are made ready after the first reads, or when a request needs them, and it waits.
 *
 * @throws if a setting is invalid, a port is in use, or there is no edition to serve
 */
export async function start(): Promise<void> {
  const config = readConfig(process.env);
  const dataDir = resolve(config.DATA_DIR);
  const logger = jsonLogger(config.LOG_LEVEL, (line) => process.stdout.write(line));
  for (const [setting, instead] of removedSettings(process.env)) {
    logger.log('warn', 'a setting is no longer read', { setting, instead });
  }
  const unlock = lockDataDir(dataDir, logger);
  try {
    await run(config, dataDir, logger, unlock);
  } catch (error) {
    throw nameDataDir(error, dataDir);
  }
}

async function run(
  config: Config,
  dataDir: string,
  logger: Logger,
  unlock: () => void,
): Promise<void> {
  const { EDITION, HOST: host, METRICS_PORT: metricsPort } = config;
  const withSecrets = {
    ...config,
    MCP_SECRET: await secretOf('MCP_SECRET', config, logger),
    HUB_KEY: await secretOf('HUB_KEY', config, logger),
  };
  // Loading the metrics takes a third of the start time.
  const prometheus =
    metricsPort === undefined ? undefined : await import('./metrics/prometheus.ts');
  const metrics = prometheus?.prometheus();
  const meters = metrics?.meters ?? NO_METERS;
  const current = await CurrentEdition.open({
    source: openSource(EDITION),
    dataDir,
    logger,
    meters,
    policy: await signaturePolicy(config.EDITION_PUBLIC_KEY, dataDir, logger),
    accepted: config.EDITION_ACCEPT,
  });
  checkPort(config, current, logger);
  const edition = () => current.get();
  const now = () => performance.now();
  meterEdition(meters, current, Date.now);

  let opened: Promise<Services> | undefined;
  const services = () =>
    (opened ??= import('./services.ts').then(({ openServices }) =>
      openServices({ config: withSecrets, dataDir, current, logger, meters, now }),
    ));
  const renderPage = await findRenderer(EDITION, logger);
  const pages = createPageCheck(renderPage, logger);
  const app = createApp({
    edition,
    logger,
    meters,
    now,
    renderPage,
    searchRate: SEARCHES * config.RATE_LIMIT,
    downloadRate: DOWNLOAD_BYTES * config.RATE_LIMIT,
    mcp: async (event, compute) => (await services()).serveMcp(event, compute),
    hub: async (event) => (await services()).serveHub(event),
    checks: {
      edition: () => current.check(Date.now()),
      store: async () => (await services()).hub.check(),
      pages: () => pages.result(),
    },
  });
  const server = await listen({
    app,
    edition,
    port: config.PORT,
    host,
    trustProxy: config.TRUST_PROXY,
    requestSeconds: config.REQUEST_SECONDS,
    farewellMs: FAREWELL_MS,
    logger,
    accessLog: createAccessLog({ logger, meters, now, newId: randomUUID }),
  });
  if (prometheus && metrics) {
    const text = async () => {
      await services();
      return metrics.text();
    };
    const { url } = await prometheus.serveMetrics(
      { ...metrics, text },
      { port: metricsPort!, host },
      logger,
    );
    logger.log('info', 'metrics', { url });
  }
  stopOnSignal(logger, async () => {
    current.stop();
    const rest = services();
    await Promise.all([server.close(), rest.then(({ hub }) => hub.drain())]);
    await (await rest).hub.close();
    unlock();
  });
  logger.log('info', 'listening', {
    url: server.url,
    edition: edition().manifest.edition,
    reviews: edition().lines.count,
  });
  await delay(FIRST_READS_MS);
  const { hub } = await services();
  current.watch(config.REFRESH_SECONDS * 1000, () => {
    void hub.tick();
    void pages.look(current.get());
  });
  void pages.look(current.get()); // a look at the source may take long
}

/** @throws if a key is invalid */
async function signaturePolicy(
  keys: string,
  dataDir: string,
  logger: Logger,
): Promise<SignaturePolicy | undefined> {
  if (keys === '') return undefined;
  try {
    const parsed = parsePublicKeys(areKeys(keys) ? keys : await readFile(keys, 'utf8'));
    return new SignaturePolicy(parsed, dataDir, Date.now, logger);
  } catch (error) {
    throw new Error(`EDITION_PUBLIC_KEY: ${(error as Error).message}`, { cause: error });
  }
}

function checkPort(config: Config, current: CurrentEdition, logger: Logger): void {
  const { PORT: port } = config;
  const { base_url: baseUrl } = current.get().manifest;
  const { hostname, port: linked } = new URL(baseUrl);
  if (hostname === 'localhost' && port !== 0 && linked !== String(port)) {
    logger.log('warn', 'the links of this edition lead to another port', { baseUrl, port });
  }
}

function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(signal); // main.js ends a start at once
    process.once(signal, async () => {
      logger.log('info', 'stopping', { signal });
      await stop();
      process.exit(0);
    });
  }
}
