import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { isUnavailable } from '../../sidecar/store/errors.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { quiet } from '../support/edition.ts';
import { listen } from '../support/listeners.ts';

/** AuthenticationOk and ReadyForQuery (PostgreSQL, section 54.7). */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

test('a database that takes connections and then says nothing counts as away', async (context) => {
  const { port } = await listen(context, (socket) => {
    socket.once('data', () => socket.write(WELCOME));
  });
  const store = openPostgres(`postgres://hub@127.0.0.1:${port}/hub`, quiet, undefined, 200);
  await assert.rejects(
    store.transaction((trx) => sql`select 1`.execute(trx)),
    isUnavailable,
  );
  await store.close();
});
