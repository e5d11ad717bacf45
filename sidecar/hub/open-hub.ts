import type { Config } from '../base/config.ts';
import type { CurrentEdition } from '../edition/current-edition.ts';
import type { Logger } from '../base/log.ts';
import type { Meters } from '../base/meters.ts';
import { Hub } from './hub.ts';
import { Outbound } from './outbound/outbound.ts';
import { openHubStore } from './store/tables.ts';
import { Secrets } from './store/secrets.ts';

/** Looks for the newer edition that another leader had, before an older one is published. */
const GRACE_LOOKS = 3;

/**
 * Creates the hub from the settings, without opening its store.
 *
 * @param keys the first encrypts the secrets in it; see `Secrets`
 */
export async function openHub(
  config: Config,
  keys: string,
  dataDir: string,
  current: CurrentEdition,
  logger: Logger,
  meters: Meters,
): Promise<Hub> {
  const { DATABASE_URL, HUB_CALLBACK_ALLOW: allow, REFRESH_SECONDS } = config;
  return new Hub({
    store: await openHubStore(DATABASE_URL, dataDir, logger),
    secrets: new Secrets(keys),
    outbound: new Outbound({ allow }),
    edition: () => current.get(),
    refresh: () => current.refresh(),
    logger,
    now: () => performance.now(),
    random: Math.random,
    retrySeconds: config.HUB_RETRY_SECONDS,
    movedFrom: config.MOVED_FROM,
    allow,
    maxSubscriptions: config.HUB_MAX_SUBSCRIPTIONS,
    graceMs: DATABASE_URL === '' ? 0 : GRACE_LOOKS * REFRESH_SECONDS * 1000,
    meters,
  });
}
