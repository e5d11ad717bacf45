import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Hub } from '../../sidecar/hub/hub.ts';
import { openHubStore } from '../../sidecar/hub/store/tables.ts';
import { quiet } from '../support/edition.ts';
import { postgresDatabase } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { hubOptions } from '../support/hub.ts';
import { onPostgres, unprivileged } from '../support/postgres.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const skip = onPostgres.skip || (!existsSync(PGBOUNCER) && 'PgBouncer is not installed');

const IGNORED =
  'ignore_startup_parameters = statement_timeout,application_name, idle_in_transaction_session_timeout';
const POOLERS: [as: string, settings: string[], isTaken?: true][] = [
  ['that passes sessions on', [IGNORED], true],
  ['as it is shipped', []],
  ['per transaction', ['pool_mode = transaction', IGNORED]],
  [
    'per transaction with one connection',
    ['pool_mode = transaction', 'default_pool_size = 1', IGNORED],
  ],
];

for (const [as, settings, isTaken = false] of POOLERS) {
  const outcome = isTaken ? 'taken' : 'refused, and /readyz says why';
  test(`PgBouncer ${as} is ${outcome}`, { skip }, async (context) => {
    const database = new URL(await postgresDatabase());
    const folder = await temporaryFolder(context);
    await chmod(folder, 0o755);
    const port = await freePort();
    const configuration = [
      '[databases]',
      // With this type of authentication every client is one user of the database.
      `* = host=127.0.0.1 port=${database.port} user=test`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
      ...settings,
    ].join('\n');
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, configuration);
    const pooler = spawn(PGBOUNCER, ['-q', file], { ...unprivileged(), stdio: 'ignore' });
    context.after(() => pooler.kill('SIGKILL'));
    database.port = String(port);
    const hub = new Hub(
      hubOptions(await openHubStore(database.href, folder, quiet), { logger: quiet }),
    );
    context.after(() => hub.close());
    await eventually(async () => {
      const { ok, reason = '' } = await hub.check();
      if (reason === 'the store cannot be reached') return false; // it is about to listen
      assert.deepEqual(
        [ok, reason.startsWith('DATABASE_URL leads to a transaction pooler')],
        [isTaken, !isTaken],
      );
      return true;
    });
  });
}
