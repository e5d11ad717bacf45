import { join } from 'node:path';
import { crashRun } from '../../support/crash/crash-run.ts';
import type { CrashReport } from '../../support/crash/plan.ts';
import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import type { Row } from '../report.ts';

const LONG = { subscribers: 40, kills: 60, killsARound: 6, refusals: 0.1, patienceMs: 90_000 };
const MUTATION = join(import.meta.dirname, '../../support/crash/acknowledge-first.ts');

/** Runs the crash test of `npm test` in its long form; nothing may be lost. */
export async function crash(): Promise<Row[]> {
  const found = rows('one process on SQLite', await crashRun({ ...LONG, replicas: 1 }));
  if (onPostgres.skip === false) found.push(...rows(THREE, await onThreeReplicas()));
  // A round each, because the last kill of a round comes with the first post of a version.
  const plan = { ...LONG, kills: 4, killsARound: 1, replicas: 1, refusals: 0, patienceMs: 10_000 };
  const [mutant] = rows(MUTANT, await crashRun({ ...plan, mutation: MUTATION }));
  return [...found, { ...mutant!, goal: { is: 'least', value: 1 } }];
}

const MUTANT = 'a mutant that acknowledges first';
const THREE = 'three on PostgreSQL, which is killed too';

async function onThreeReplicas(): Promise<CrashReport> {
  const server = await PostgresServer.start([]);
  try {
    return await crashRun({
      ...LONG,
      replicas: 3,
      databaseUrl: await server.database(),
      restartDatabase: async () => {
        await server.crash();
        await server.run();
      },
    });
  } finally {
    await server.stop();
  }
}

function rows(what: string, report: CrashReport): Row[] {
  const { kills, lost, lostSubscriptions, notRemoved, denied } = report;
  const { deliveries, refusals, duplicates, inFlight } = report;
  const against = `${kills} × kill -9`;
  return [
    {
      work: `lost: ${what}`,
      against,
      ratio: lost + lostSubscriptions + notRemoved + denied,
      goal: { is: 'most', value: 0 },
      note: `${deliveries} deliveries, ${refusals} refused`,
    },
    {
      work: `duplicates: ${what}`,
      against: 'in flight when killed',
      ratio: duplicates / inFlight,
      goal: { is: 'most', value: 1.1 },
      note: `${duplicates} : ${inFlight}`,
    },
  ];
}
