import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startCallbacks } from '../callback-server.ts';
import { openHubStore } from '../../../sidecar/hub/store/tables.ts';
import { silent } from '../edition.ts';
import { LOOPBACK } from '../hub.ts';
import { Random } from '../random.ts';
import { testCa, testCaFile } from '../test-ca.ts';
import { startReplicas } from './replicas.ts';
import { runRounds, type CrashPlan } from './rounds.ts';
import { SlimEdition } from '../slim-edition.ts';
import { Subscribers } from './subscribers.ts';

export type CrashReport = Awaited<ReturnType<typeof crashRun>>;

/** Hosts of subscribers, so that each replica has some. */
const HOSTS = Array.from({ length: 16 }, (_, host) => `127.0.0.${host + 1}`);
const ANY = '0.0.0.0';

/** Short delays, so that the load never waits. */
const SETTINGS = {
  HUB_RETRY_SECONDS: '0.2,0.4',
  RATE_LIMIT: '0',
  REFRESH_SECONDS: '1',
  LOG_LEVEL: 'info',
};

/**
 * Kills replicas with SIGKILL during publishes, subscriptions and unsubscriptions, and reports what
 * was lost. Every request that got a 202 must take effect.
 */
export async function crashRun(plan: CrashPlan) {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-crash-'));
  const ca = testCa();
  const random = new Random(1);
  const edition = await SlimEdition.create(join(folder, 'edition'));
  const callbacks = await startCallbacks(ca, { address: ANY, hostnames: HOSTS });
  const subscribers = new Subscribers(callbacks, edition, random, plan.refusals);
  const caFile = await testCaFile();
  const envs = Array.from({ length: plan.replicas }, (_, index) => ({
    ...SETTINGS,
    EDITION: edition.folder,
    DATA_DIR: join(folder, `data-${index}`),
    DATABASE_URL: plan.databaseUrl ?? '',
    MCP_SECRET: 'the secret of the tests',
    HUB_KEY: 'the key of the tests',
    HUB_CALLBACK_ALLOW: LOOPBACK.join(),
    NODE_EXTRA_CA_CERTS: caFile,
    ...(plan.mutation !== undefined && {
      NODE_OPTIONS: `--import ${pathToFileURL(plan.mutation).href}`,
    }),
  }));
  try {
    await using replicas = await startReplicas(envs, random);
    return await runRounds(plan, {
      replicas,
      edition,
      subscribers,
      random,
      callback: (path) =>
        callbacks.url(path).replace(ANY, HOSTS[Number(path.slice(1)) % HOSTS.length]!),
      // Opened on demand: after a kill, recovery needs the file to itself.
      openStore: () => openHubStore(plan.databaseUrl ?? '', join(folder, 'data-0'), silent),
    });
  } finally {
    await callbacks.close();
    await rm(folder, { recursive: true, force: true });
  }
}
