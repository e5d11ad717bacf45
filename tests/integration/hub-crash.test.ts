import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashRun, type CrashReport } from '../support/crash/crash-run.ts';
import { onPostgres, PostgresServer } from '../support/postgres.ts';
import { SLOW } from '../support/slow.ts';

// The short form; `npm run bench -- hub-crash` runs the long one, and a hub that must fail it.

function assertNothingLost(report: CrashReport): void {
  const { lost, lostSubscriptions, notRemoved, denied, duplicates, inFlight, deliveries } = report;
  const told = JSON.stringify(report);
  assert.deepEqual({ lost, lostSubscriptions, notRemoved, denied }, NOTHING, told);
  assert.ok(duplicates <= 1.1 * inFlight, told);
  assert.ok(deliveries > SUBSCRIBERS, told);
}

const SUBSCRIBERS = 20;
const NOTHING = { lost: 0, lostSubscriptions: 0, notRemoved: 0, denied: 0 };

const PLAN = {
  kills: 2,
  killsARound: 2,
  subscribers: SUBSCRIBERS,
  refusals: 0.1,
  patienceMs: 60_000,
};

test('nothing is lost when the process is killed, on SQLite', SLOW, async () => {
  assertNothingLost(await crashRun({ ...PLAN, replicas: 1 }));
});

const both = { ...onPostgres, ...SLOW };
test('nothing is lost when replicas and the database are killed', both, async () => {
  await using server = await PostgresServer.start();
  const restartDatabase = async () => {
    await server.crash();
    await server.run();
  };
  const databaseUrl = await server.database();
  assertNothingLost(await crashRun({ ...PLAN, replicas: 2, databaseUrl, restartDatabase }));
});
