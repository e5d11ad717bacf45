import { isIPv4, isIPv6 } from 'node:net';

/** Groups of an IPv6 address that a provider gives to one customer at most: a /48. */
const CUSTOMER_GROUPS = 3;

/**
 * Returns the network of one client, which all limits count by: its IPv4 address, or its IPv6 /48. A
 * trusted proxy may send something that is not an address; all of that counts as one client.
 */
export function clientNetwork(address = ''): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return '';
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) while (groups.length < CUSTOMER_GROUPS) groups.push('0');
  const numbers = groups
    .slice(0, CUSTOMER_GROUPS)
    .map((group) => Number.parseInt(group || '0', 16));
  return numbers.map((number) => number.toString(16)).join(':');
}
