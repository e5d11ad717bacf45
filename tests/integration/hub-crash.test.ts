import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { crashRun } from '../support/crash/crash-run.ts';
import type { CrashReport } from '../support/crash/plan.ts';
import { onPostgres, PostgresServer } from '../support/postgres.ts';

// The short form; `npx node tests/bench/hub/main.ts` runs the long one.

const MUTATION = join(import.meta.dirname, '../support/crash/acknowledge-first.ts');

function assertNothingLost(report: CrashReport): void {
  const { lost, lostSubscriptions, notRemoved, denied, duplicates, inFlight, deliveries } = report;
  const told = JSON.stringify(report);
  assert.deepEqual({ lost, lostSubscriptions, notRemoved, denied }, NOTHING, told);
  assert.ok(duplicates <= 1.1 * inFlight, told);
  assert.ok(deliveries > SUBSCRIBERS, told);
}

const SUBSCRIBERS = 20;
const NOTHING = { lost: 0, lostSubscriptions: 0, notRemoved: 0, denied: 0 };

test('nothing is lost when the process is killed, on SQLite', async () => {
  const report = await crashRun({
    kills: 2,
    killsARound: 2,
    replicas: 1,
    subscribers: SUBSCRIBERS,
    refusals: 0.1,
    patienceMs: 60_000,
  });
  assertNothingLost(report);
});

test('a hub that acknowledges before it posts is caught', async () => {
  let lost = 0;
  // The kill may come before the other delivery of its moment is acknowledged.
  for (let run = 0; run < 4 && lost === 0; run++) {
    ({ lost } = await crashRun({
      kills: 1,
      killsARound: 1,
      replicas: 1,
      subscribers: SUBSCRIBERS,
      refusals: 0,
      patienceMs: 10_000, // a delivery that is late is not lost
      mutation: MUTATION,
    }));
  }
  assert.ok(lost > 0);
});

test('nothing is lost when replicas and the database are killed', onPostgres, async (context) => {
  const server = await PostgresServer.start();
  context.after(() => server.stop());
  const report = await crashRun({
    kills: 2,
    killsARound: 2,
    replicas: 2,
    subscribers: SUBSCRIBERS,
    databaseUrl: await server.database(),
    restartDatabase: async () => {
      await server.crash();
      await server.run();
    },
    refusals: 0.1,
    patienceMs: 60_000,
  });
  assertNothingLost(report);
});
