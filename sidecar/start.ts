import { resolve } from 'node:path';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { CurrentEdition } from './edition/current-edition.ts';
import { openSource } from './edition/open-source.ts';
import { jsonLogger } from './log.ts';
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

  const app = createApp({
    edition: () => current.get(),
    logger,
    now: () => performance.now(),
    searchRate: config.SEARCH_RATE,
  });
  const server = await listen(app, {
    port: config.PORT,
    host: config.HOST,
    trustProxy: config.TRUST_PROXY,
  });
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
