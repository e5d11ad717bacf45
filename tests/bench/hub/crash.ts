import { join } from 'node:path';
import { crashRun, type CrashReport } from '../../support/crash/crash-run.ts';
import type { CrashPlan } from '../../support/crash/rounds.ts';
import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import type { Row } from '../report.ts';

const LONG = { subscribers: 40, kills: 60, killsARound: 6, refusals: 0.1, patienceMs: 90_000 };
const MUTATION = join(import.meta.dirname, '../../support/crash/acknowledge-first.ts');

/** Runs the crash test of `npm test` in its long form; nothing may be lost. */
export async function crash(): Promise<Row[]> {
  const found = rows('one process on SQLite', await crashRun({ ...LONG, replicas: 1 }));
  if (onPostgres.skip === false) {
    const killed = await onThreeReplicas({});
    found.push(...rows(THREE, killed), ...times(killed));
    const restarts = { kills: 9, killsARound: 3, signal: 'SIGTERM' } as const;
    found.push(...rows(RESTARTED, await onThreeReplicas(restarts), 'SIGTERM'));
  }
  // A round each, because the last kill of a round comes with the first post of a version.
  const plan = { ...LONG, kills: 4, killsARound: 1, replicas: 1, refusals: 0, patienceMs: 10_000 };
  const [mutant] = rows(MUTANT, await crashRun({ ...plan, mutation: MUTATION }));
  return [...found, { ...mutant!, goal: { is: 'min', value: 1 } }];
}

const MUTANT = 'a mutant that acknowledges first';
const RESTARTED = 'three on PostgreSQL, restarted one after the other';
const THREE = 'three on PostgreSQL, which is killed too';

async function onThreeReplicas(changes: Partial<CrashPlan>): Promise<CrashReport> {
  await using server = await PostgresServer.start([]);
  const restartDatabase = async () => {
    await server.crash();
    await server.run();
  };
  return await crashRun({
    ...LONG,
    replicas: 3,
    databaseUrl: await server.database(),
    ...(changes.signal === undefined && { restartDatabase }),
    ...changes,
  });
}

function times({ takenMs, sharedMs }: CrashReport): Row[] {
  const row = (work: string, ms: number, value: number): Row => ({
    work,
    against: 'the longest of all kills',
    ratio: ms / 1000,
    goal: { is: 'max', value },
    note: 'seconds',
  });
  return [
    row('until the parts of a killed replica have a leader', takenMs, 3),
    row('until a replica that was started has its share', sharedMs, 10),
  ];
}

function rows(what: string, report: CrashReport, signal = 'kill -9'): Row[] {
  const { kills, lost, lostSubscriptions, notRemoved, denied } = report;
  const { deliveries, refusals, duplicates, inFlight } = report;
  const against = `${kills} × ${signal}`;
  return [
    {
      work: `lost: ${what}`,
      against,
      ratio: lost + lostSubscriptions + notRemoved + denied,
      goal: { is: 'max', value: 0 },
      note: `${deliveries} deliveries, ${refusals} refused`,
    },
    {
      work: `duplicates: ${what}`,
      against: 'in flight when killed',
      ratio: duplicates / inFlight,
      goal: { is: 'max', value: 1.1 },
      note: `${duplicates} : ${inFlight}`,
    },
  ];
}
