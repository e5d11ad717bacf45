import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPostgres, PostgresServer } from '../support/postgres.ts';
import { soakRun } from '../soak/soak-run.ts';

// The short form; `npm run soak` has the long one.

test('editions swap and a replica is killed: every answer is right, every subscriber told', async (context) => {
  const server = onPostgres.skip === false ? await PostgresServer.start() : undefined;
  context.after(() => server?.stop());
  const { load, kills, editions, errors, lost } = await soakRun({
    idleMs: 500,
    loadMs: 7_000,
    killEveryMs: 2_500,
    publishEveryMs: 1_500,
    databaseUrl: await server?.database(),
  });
  assert.deepEqual([load.wrong, load.failed, errors, lost], [[], [], [], 0]);
  assert.ok(load.answers > 100 && kills > 0 && editions > 3, JSON.stringify(load));
});
