import { Resolver } from 'node:dns/promises';
import { isLocalhost, LOOPBACK } from './callback-url.ts';

/** All addresses of a name. @throws when it has none or nobody says */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const QUERY = { timeout: 2000, tries: 2 };

/**
 * Asks the DNS servers of this machine and nobody else. The system's own resolver would answer from
 * the hosts file too, but it blocks one of few threads for as long as a hostile name server likes.
 *
 * @param servers other ones, as address and port
 */
export function dnsLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver(QUERY);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    if (isLocalhost(hostname)) return [LOOPBACK];
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}
