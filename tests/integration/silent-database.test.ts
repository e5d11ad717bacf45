import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { isUnavailable } from '../../sidecar/store/errors.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { jsonLogger } from '../../sidecar/base/log.ts';

const quiet = jsonLogger('error', () => {});

/** AuthenticationOk and ReadyForQuery (PostgreSQL, section 54.7). */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

test(
  'a database that takes connections and then says nothing counts as away',
  { timeout: 120_000 },
  async (context) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => socket.write(WELCOME));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const url = `postgres://hub@127.0.0.1:${port}/hub`;
    const store = openPostgres(url, quiet, undefined, 200);
    await assert.rejects(
      store.transaction((trx) => sql`select 1`.execute(trx)),
      isUnavailable,
    );
    await store.close();
  },
);
