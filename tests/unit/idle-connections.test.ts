import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { IdleConnections } from '../../sidecar/http/connections.ts';

/** Idle connections by name, and the names of those that were closed. */
function connections(limits: { each: number; together: number }) {
  const idle = new IdleConnections(limits);
  const closed: string[] = [];
  const known = new Map<string, Socket>();
  const add = (name: string, remoteAddress: string) => {
    const socket = { remoteAddress, destroy: () => closed.push(name) } as unknown as Socket;
    known.set(name, known.get(name) ?? socket);
    idle.add(known.get(name)!);
  };
  return { add, closed, remove: (name: string) => idle.delete(known.get(name)!) };
}

test('a network that keeps too many idle connections loses the one idle for longest', () => {
  const { add, closed, remove } = connections({ each: 3, together: 100 });
  for (const name of ['a', 'b', 'c']) add(name, '192.0.2.1');
  remove('a');
  add('a', '192.0.2.1'); // had a request
  add('other', '192.0.2.2');
  assert.deepEqual(closed, []);
  add('d', '192.0.2.1');
  add('e', '192.0.2.1');
  assert.deepEqual(closed, ['b', 'c']);
  for (const [at, name] of ['f', 'g', 'h', 'i'].entries()) add(name, `2001:db8:1:${at}::1`);
  assert.deepEqual(closed, ['b', 'c', 'f']);
});

test('if all networks together keep too many, the connection idle for longest is closed', () => {
  const { add, closed, remove } = connections({ each: 100, together: 3 });
  for (const at of [1, 2, 3]) add(String(at), `192.0.2.${at}`);
  remove('1');
  add('4', '192.0.2.4');
  assert.deepEqual(closed, []);
  add('5', '192.0.2.5');
  assert.deepEqual(closed, ['2']);
  remove('2');
  add('6', '192.0.2.6');
  assert.deepEqual(closed, ['2', '3']);
});
