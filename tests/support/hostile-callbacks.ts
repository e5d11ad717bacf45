const ADDRESS = 'has a private or reserved address';
const PORT = 'has a port that is neither 443 nor above 1023';
const SCHEME = 'is not an https URL';
const ENCODING = 'has a character that must be percent-encoded';
const HOST = 'has no valid host name';

/** Returns callbacks whose text alone leads to a private address, each with its issue. */
export function hostileCallbacks(port: number): [url: string, issue: string][] {
  const inward = Object.values(INWARD).flatMap((hosts) => hosts.split(' '));
  const all = [...inward.map((host) => [host, ADDRESS] as const), ...AMBIGUOUS];
  return all.map(([host, issue]) => [`https://${host}:${port}/callback`, issue]);
}

/** Hosts by the reason why nobody may be sent there. */
const INWARD = {
  'loopback and its spellings (WHATWG URL, section 3.5)':
    '127.0.0.1 127.0.0.1. 127.1 2130706433 0x7f000001 0x7f.0.0.1 017700000001 0177.0x0.0.1 ' +
    '127.0.0.%31 localhost localhost. %6cocalhost anything.localhost [::1]',
  'unspecified: the same machine, on most systems': '0 0.0.0.0 [::]',
  'IPv4 within IPv6: mapped, compatible, NAT64, 6to4, Teredo':
    '[::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] ' +
    '[64:ff9b:1::10.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::]',
  'private, shared, unique-local, link-local; 169.254.169.254 gives out cloud credentials':
    '10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 0xa9fea9fe ' +
    '[::ffff:169.254.169.254] [fd00:ec2::254] [fe80::1]',
  'benchmarking, documentation, multicast, reserved, broadcast':
    '198.18.0.1 192.0.2.1 198.51.100.1 203.0.113.1 192.0.0.1 192.88.99.1 224.0.0.1 240.0.0.1 ' +
    '255.255.255.255 [2001:db8::1] [3fff::1] [ff02::1] [100::1]',
};

/** Hosts in which other parsers may see another one. */
const AMBIGUOUS: [host: string, issue: string][] = [
  ['user:secret@peer.example', 'has a user name or password'],
  ['peer.example@127.0.0.1', 'has a user name or password'],
  ['127.0.0.1\\@peer.example', ENCODING],
  ['127.0.0.1\t', ENCODING],
  ['127.0.0.1 peer.example', ENCODING],
  ['１２７.0.0.1', ENCODING],
  ['127。0。0。1', ENCODING],
  ['peer.example#@127.0.0.1', 'has a fragment'],
  ['256.0.0.1', SCHEME],
  ['[fe80::1%25lo]', SCHEME],
  ['..127.0.0.1.nip', HOST],
  ['peer..example', HOST],
  ['peer.example..', HOST],
  ["peer'or'1.example", HOST],
];

/** Callbacks that are invalid in another part than the host. */
export const UNFIT_CALLBACKS: [url: string, issue: string][] = [
  ['', SCHEME],
  ['callback', SCHEME],
  ['//peer.example/', SCHEME],
  ['http://peer.example/', SCHEME],
  ['ftp://peer.example/', SCHEME],
  ['file:///etc/passwd', SCHEME],
  ['javascript:alert(1)', SCHEME],
  ['https:peer.example', SCHEME],
  ['https:/peer.example', SCHEME],
  ['https:///peer.example', SCHEME],
  ['https://', SCHEME],
  ['https://?', SCHEME],
  ['https://peer.example:65536/', SCHEME],
  ['https://peer.example:https/', SCHEME],
  [' https://peer.example/', ENCODING],
  ['https://peer.example/a b', ENCODING],
  ['https://peer.example/é', ENCODING],
  ['https://peer.example/\r\nHost: inward', ENCODING],
  ['https://peer.example/?a=\u0000', ENCODING],
  ['https:\\\\peer.example/', ENCODING],
  ['https://peer.example/#', 'has a fragment'],
  ['https://peer.example/?q=1#part', 'has a fragment'],
  ['https://peer.example:0/', PORT],
  ['https://peer.example:22/', PORT],
  ['https://peer.example:80/', PORT],
  ['https://peer.example:1023/', PORT],
  ['https://127.0.0.1:25/', PORT],
  [`https://${'a'.repeat(64)}.example/`, HOST],
  [`https://${'a.'.repeat(130)}example/`, HOST],
];
