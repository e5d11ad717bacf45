import { resolve } from 'node:path';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { CurrentEdition } from './edition/current-edition.ts';
import { renderSearchPage } from './http/search-page.ts';
import { jsonLogger } from './log.ts';
import { findRenderer } from './pages/renderer.ts';
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
    resolve(config.EDITION),
    resolve(config.DATA_DIR),
    logger,
  );
  const { base_url: baseUrl, edition } = current.get().manifest;
  if (config.SITE_URL !== '' && new URL(config.SITE_URL).origin !== baseUrl) {
    logger.log('warn', "SITE_URL is not the edition's base_url, which holds", { baseUrl });
  }

  const renderPage = await findRenderer(resolve(config.SERVER_DIR), logger);
  const app = createApp({
    edition: () => current.get(),
    logger,
    now: () => performance.now(),
    renderPage,
    searchRate: config.SEARCH_RATE,
  });
  const server = await listen(app, {
    port: config.PORT,
    host: config.HOST,
    trustProxy: config.TRUST_PROXY,
  });
  const refresh = setInterval(() => void current.refresh(), config.REFRESH_SECONDS * 1000);
  logger.log('info', 'listening', {
    url: server.url,
    edition,
    reviews: current.get().search.lines.count,
  });
  if (renderPage) {
    // Once rendered its code is in memory, and a new build may take the files away.
    renderSearchPage(new URLSearchParams(), current.get(), renderPage).catch((error: unknown) =>
      logger.log('error', 'the search page cannot be rendered', { error }),
    );
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.log('info', 'stopping', { signal });
      clearInterval(refresh);
      await server.close();
      process.exit(0);
    });
  }
}
