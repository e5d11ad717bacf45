import type { HubTables } from '../../../sidecar/hub/store/tables.ts';
import { openPostgres } from '../../../sidecar/store/postgres.ts';
import { silent } from '../../support/edition.ts';
import { openCountingHub } from './counting-hub.ts';

// One of several hubs on one database, in a process of its own. It publishes on a message, and reports on
// another how much it delivered and used since.

export interface ReplicaOrder {
  databaseUrl: string;
  ca: string;
}

/** The text and the time of an edition, or a question. */
export type ReplicaMessage = { publish: string; time: string } | 'report' | 'end';

export interface ReplicaReport {
  delivered: number;
  /** Processor time, all threads. */
  cpuSeconds: number;
}

process.once('message', async ({ databaseUrl, ca }: ReplicaOrder) => {
  const store = openPostgres<HubTables>(databaseUrl, silent);
  const { hub, delivered, publish } = await openCountingHub(store, ca, { random: Math.random });
  let used = process.cpuUsage();
  hub.start();
  process.on('message', async (message: ReplicaMessage) => {
    if (message === 'report') {
      const { user, system } = process.cpuUsage(used);
      const report = { delivered: delivered(), cpuSeconds: (user + system) / 1e6 };
      process.send!(report satisfies ReplicaReport);
      return;
    }
    if (message === 'end') {
      await hub.drain();
      await hub.close();
      return process.exit();
    }
    used = process.cpuUsage();
    await publish(message.publish, message.time);
  });
  process.send!('ready');
});
process.once('disconnect', () => process.exit());
