import type { Config } from './base/config.ts';
import type { Logger } from './base/log.ts';
import type { Meters } from './base/meters.ts';
import type { CurrentEdition } from './edition/current-edition.ts';
import { createHubEndpoint } from './http/hub-endpoint.ts';
import { Hub } from './hub/hub.ts';
import { Outbound } from './hub/outbound/outbound.ts';
import { Secrets } from './hub/store/secrets.ts';
import { openHubStore } from './hub/store/tables.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import { meterHub } from './metrics/hub-meters.ts';

/** Per minute and session, ten times as many per client. */
const MCP_REQUESTS = 600;
/** Per minute and client. */
const HUB_REQUESTS = 60;
/** Looks for the newer edition that another process has or had, before an older one is published. */
const GRACE_LOOKS = 3;

interface ServicesOptions {
  /** With its secrets. */
  config: Config;
  dataDir: string;
  current: CurrentEdition;
  logger: Logger;
  meters: Meters;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** Parts of the service that reads do not need. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/**
 * Opens MCP and the hub once the reviews are indexed. Only this module imports them, because loading
 * their code and their packages takes longer than everything that reads need.
 */
export async function openServices({ config, dataDir, current, ...rest }: ServicesOptions) {
  const { DATABASE_URL, HUB_CALLBACK_ALLOW: allow, RATE_LIMIT, REFRESH_SECONDS } = config;
  const { logger, meters, now } = rest;
  const edition = () => current.get();
  await edition().index();
  /** Handles every method at /mcp. */
  const serveMcp = createMcpEndpoint({
    ...rest,
    edition,
    access: {
      origins: config.MCP_ALLOWED_ORIGINS,
      hosts: config.MCP_ALLOWED_HOSTS,
      hasFront: config.TRUST_PROXY !== false,
    },
    secret: config.MCP_SECRET,
    rate: MCP_REQUESTS * RATE_LIMIT,
    clock: () => Math.floor(Date.now() / 1000),
  });
  const hub = new Hub({
    ...rest,
    edition,
    store: await openHubStore(DATABASE_URL, dataDir, logger),
    secrets: new Secrets(config.HUB_KEY),
    outbound: new Outbound({ allow }),
    refresh: () => current.refresh(),
    random: Math.random,
    retrySeconds: config.HUB_RETRY_SECONDS,
    allow,
    maxSubscriptions: config.HUB_MAX_SUBSCRIPTIONS,
    graceMs: DATABASE_URL === '' ? 0 : GRACE_LOOKS * REFRESH_SECONDS * 1000,
  });
  meterHub(meters, hub);
  hub.start();
  /** Handles every method at /api/websub/hub. */
  const serveHub = createHubEndpoint({ hub, rate: HUB_REQUESTS * RATE_LIMIT, now });
  return { hub, serveHub, serveMcp };
}
