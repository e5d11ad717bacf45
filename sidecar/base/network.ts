import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the network of one client: its IPv4 address, or its IPv6 /64. A trusted proxy may send
 * something that is not an address; all of that counts as one client.
 */
export function clientAddress(address: string): string {
  return prefixOf(address, 4);
}

/**
 * Returns the largest network of one customer of a provider: an IPv4 address, or an IPv6 /48. All
 * texts that are no address count as one network.
 */
export function clientNetwork(address: string): string {
  return prefixOf(address, 3);
}

function prefixOf(address: string, groupCount: number): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return '';
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) while (groups.length < groupCount) groups.push('0');
  const numbers = groups.slice(0, groupCount).map((group) => Number.parseInt(group || '0', 16));
  return numbers.map((number) => number.toString(16)).join(':');
}
