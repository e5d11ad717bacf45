import type { Edition } from '../edition/edition.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { Access, type AccessSettings } from './access.ts';
import { createDispatcher } from './dispatcher.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { reviewsService } from './reviews-service.ts';
import { Sessions } from './session.ts';
import type { McpService } from './service.ts';

export interface McpOptions {
  edition: () => Edition;
  logger: Logger;
  access: AccessSettings;
  /** Signs session ids; the same on every replica. */
  secret: string;
  /** Requests a minute per client; 0 is no limit. */
  rate: number;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Seconds since 1970. */
  clock: () => number;
  meters?: Meters;
}

/** The endpoint at /mcp. @param service what it serves: the reviews, unless a test says otherwise */
export async function openMcp(
  { edition, logger, access, secret, rate, now, clock, meters = NO_METERS }: McpOptions,
  service: McpService = reviewsService(edition, meters),
): Promise<Endpoint> {
  const report = (method: string, error: unknown): void =>
    logger.log('error', 'mcp request failed', { method, error });
  return createEndpoint({
    service,
    dispatch: await createDispatcher(service, report),
    sessions: new Sessions(secret, clock),
    access: new Access(access, () => edition().manifest.base_url),
    rate: new RateLimit(rate, now),
    report,
  });
}
