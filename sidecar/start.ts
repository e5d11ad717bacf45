import { resolve } from 'node:path';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { CurrentEdition } from './edition/current-edition.ts';
import { renderSearchPage } from './http/search-page.ts';
import { openHub } from './hub/open-hub.ts';
import { jsonLogger } from './log.ts';
import { openMcp } from './mcp/mcp.ts';
import { mcpSecret } from './mcp/secret.ts';
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
  const { base_url: baseUrl } = current.get().manifest;
  if (config.SITE_URL !== '' && new URL(config.SITE_URL).origin !== baseUrl) {
    logger.log('warn', "SITE_URL is not the edition's base_url, which holds", { baseUrl });
  }

  const hub = await openHub(config, resolve(config.DATA_DIR), current, logger);
  const edition = () => current.get();
  const now = () => performance.now();
  const mcp = await openMcp({
    edition,
    logger,
    access: { origins: config.MCP_ALLOWED_ORIGINS, hosts: config.MCP_ALLOWED_HOSTS },
    secret: await mcpSecret(config),
    rate: config.MCP_RATE,
    now,
    clock: () => Math.floor(Date.now() / 1000),
  });
  const renderPage = await findRenderer(resolve(config.SERVER_DIR), logger);
  const app = createApp({
    edition,
    logger,
    now,
    renderPage,
    searchRate: config.SEARCH_RATE,
    mcp,
    hub,
    hubRate: config.HUB_RATE,
  });
  const server = await listen(app, {
    port: config.PORT,
    host: config.HOST,
    trustProxy: config.TRUST_PROXY,
  });
  hub.start();
  const refresh = setInterval(async () => {
    await current.refresh();
    await hub.publish();
  }, config.REFRESH_SECONDS * 1000);
  logger.log('info', 'listening', {
    url: server.url,
    edition: edition().manifest.edition,
    reviews: edition().search.lines.count,
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
      await Promise.all([server.close(), hub.drain()]);
      await hub.close();
      process.exit(0);
    });
  }
}
