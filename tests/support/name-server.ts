import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * Starts a DNS server for the test (RFC 1035, section 4).
 *
 * @param zone addresses of names; a name without addresses has no such record, a missing name does
 *   not exist, and null never gets a response
 * @returns its address with the port, and the names that it is asked for
 */
export async function startNameServer(
  context: TestContext,
  zone: Readonly<Record<string, readonly string[] | null>>,
): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const known = zone[name];
    if (known === null) return;
    const records = (known ?? [])
      .filter((address) => type === (isIPv4(address) ? A : AAAA))
      .map((address) => record(type, address));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2); // a recursive response
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    server.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
  });
  await once(server.bind(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return { address: `127.0.0.1:${server.address().port}`, asked };
}

const A = 1;
const AAAA = 28;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(type: number, address: string): Buffer {
  const data = isIPv4(address) ? address.split('.').map(Number) : ipv6Bytes(address);
  // The name in the question; class IN; no time to live.
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]);
}

/** @param address with all eight groups */
function ipv6Bytes(address: string): number[] {
  const groups = address.split(':').map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}
