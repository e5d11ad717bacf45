import { Hub } from '../../../sidecar/hub/hub.ts';
import { Outbound } from '../../../sidecar/hub/outbound/outbound.ts';
import { isSuccess } from '../../../sidecar/hub/outbound/outbound.ts';
import type { HubTables } from '../../../sidecar/hub/store/tables.ts';
import { openPostgres } from '../../../sidecar/store/postgres.ts';
import { silent } from '../../support/edition.ts';
import { hubOptions, LOOPBACK } from '../../support/hub.ts';
import { topicEdition } from '../../support/topic-edition.ts';

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
  let edition = topicEdition('before', { time: '2026-01-01T00:00:00Z' });
  let delivered = 0;
  let used = process.cpuUsage();
  const outbound = new Outbound({ allow: LOOPBACK, ca });
  const send: Outbound['send'] = async (exchange) => {
    const outcome = await outbound.send(exchange);
    if (isSuccess(outcome)) delivered++;
    return outcome;
  };
  const hub = new Hub(
    hubOptions(openPostgres<HubTables>(databaseUrl, silent), {
      outbound: { send, close: () => outbound.close() },
      edition: () => edition,
      random: Math.random,
    }),
  );
  await hub.open();
  hub.start();
  process.on('message', async (message: ReplicaMessage) => {
    if (message === 'report') {
      const { user, system } = process.cpuUsage(used);
      process.send!({ delivered, cpuSeconds: (user + system) / 1e6 } satisfies ReplicaReport);
      return;
    }
    if (message === 'end') {
      await hub.drain();
      await hub.close();
      return process.exit();
    }
    delivered = 0;
    used = process.cpuUsage();
    edition = topicEdition(message.publish, { time: message.time, only: '/feed.xml' });
    await hub.tick();
  });
  process.send!('ready');
});
process.once('disconnect', () => process.exit());
