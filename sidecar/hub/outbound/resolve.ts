import { Resolver } from 'node:dns/promises';
import { isLocalhost, LOOPBACK } from './callback-url.ts';

/**
 * Returns all addresses of a name.
 *
 * @throws if it has none or cannot be resolved
 */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const QUERY = { timeout: 2000, tries: 2 };

/**
 * Resolves names through the DNS servers of this machine only. The system's resolver would also use
 * the hosts file, but a hostile name server could block its few threads.
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
