import { MCP_PATH } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import type { Edition } from '../edition/edition.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { Access, type AccessSettings } from './access.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { reviewsService } from './reviews-service.ts';
import type { McpService } from './service.ts';
import { Sessions } from './session.ts';

export interface McpOptions {
  edition: () => Edition;
  logger: Logger;
  access: AccessSettings;
  /** Signs session ids; the same on every replica. */
  secret: string;
  /** Requests per minute and session; 0 means no limit. */
  rate: number;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Seconds since 1970. */
  clock: () => number;
  meters?: Meters;
}

/** Busy sessions that may share an address, such as the sessions of a hosted assistant. */
const SESSIONS_PER_ADDRESS = 10;

/** Creates the endpoint at /mcp. @param service the reviews, unless a test replaces them */
export function createMcp(
  { edition, logger, access, secret, rate, now, clock, meters = NO_METERS }: McpOptions,
  service: McpService = reviewsService(edition, meters),
): Endpoint {
  return createEndpoint({
    service,
    sessions: new Sessions(secret, clock),
    access: new Access(access, () => edition().manifest.base_url),
    rates: {
      session: new RateLimit(rate, now),
      address: new RateLimit(rate * SESSIONS_PER_ADDRESS, now),
    },
    connectUrl: () => edition().manifest.base_url + MCP_PATH,
    report: (method, error) => logger.log('error', 'mcp request failed', { method, error }),
  });
}
