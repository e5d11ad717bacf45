import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not globally reachable (IANA registries, RFC 6890). Of IPv6 those within global
 * unicast, which are special or embed an IPv4 address.
 */
const INWARD = [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

/**
 * Allowed IPv6: only global unicast. That excludes loopback, link-local, unique-local, multicast,
 * IPv4-mapped and -compatible, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48).
 */
const global6 = blockList(['2000::/3']);
const inward = blockList(INWARD);

/** The addresses that the hub may connect to. */
export class AddressRule {
  readonly #allowed: BlockList;

  /**
   * @param allow CIDRs of private, reserved or local addresses to permit
   * @throws if one is not a CIDR
   */
  constructor(allow: readonly string[]) {
    this.#allowed = blockList(allow);
  }

  /** @param address as text; an invalid one is not permitted */
  permits(address: string): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (this.#allowed.check(address, family)) return true;
    if (version === 6 && !global6.check(address, family)) return false;
    return !inward.check(address, family);
  }
}

/** The rule without exceptions of the operator. */
export const publicAddresses = new AddressRule([]);

/** @throws if one is not a CIDR */
function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [, address = '', prefix] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(cidr) ?? [];
    const version = isIP(address);
    if (version === 0 || Number(prefix) > (version === 4 ? 32 : 128)) {
      throw new Error(`not a CIDR: ${cidr}`);
    }
    list.addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
