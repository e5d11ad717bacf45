import type { Given } from '../../src/search/arguments.ts';
import type { Logger } from '../base/log.ts';
import type { Meters } from '../base/meters.ts';

/** Names of parameters are as short; anything else may be what somebody wrote. */
const KNOWN_FORM = /^[a-z_]{2,20}$/;

/** Counts and logs searches, valid or not, except those refused by the rate limit. */
export function meterSearches(meters: Meters, logger: Logger) {
  const help = 'Searches, by interface.';
  const count = meters.counter('reviews_searches_total', help, ['interface']);
  return (by: 'http' | 'page' | 'mcp', given: Given): void => {
    count({ interface: by });
    if (!logger.enabled('debug')) return;
    const names = Array.from(given, ([name]) => name).filter((name) => KNOWN_FORM.test(name));
    logger.log('debug', 'search', { by, parameters: names });
  };
}
