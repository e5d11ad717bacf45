import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCallbacks, type Callbacks, type Received } from './callback-server.ts';
import { temporaryFolder } from './fixtures.ts';
import { LOOPBACK } from './hub.ts';
import { startSidecar, type SidecarProcess } from './sidecar-process.ts';
import { SlimEdition } from './slim-edition.ts';
import { testCa } from './test-ca.ts';

/** Real sidecars with subscribers on loopback. */
export interface HubOnLoopback {
  edition: SlimEdition;
  callbacks: Callbacks;
  /** The folder in which the sidecar keeps its state, from one start to the next. */
  dataDir: string;
  start(env?: Record<string, string>): Promise<SidecarProcess>;
  /** Sends a request to a hub, with fields without `hub.`. @returns the status */
  request(url: string, form: Record<string, string>): Promise<Response>;
  /** The first request of a kind, whether it came or is still to come. */
  received(kind: (request: Received) => boolean): Promise<Received>;
  /** Subscribes to the Atom topic and waits until that is verified. */
  subscribe(url: string, path: string): Promise<void>;
}

/** For machines that are busy with other tests. */
const PATIENCE_MS = 120_000;

/** @param everyKind with a file of each kind that the sample edition has */
export async function onLoopback(
  context: Parameters<typeof temporaryFolder>[0],
  everyKind = false,
): Promise<HubOnLoopback> {
  const folder = await temporaryFolder(context);
  const ca = testCa();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca.ca);
  const edition = await SlimEdition.create(join(folder, 'edition'), everyKind);
  const callbacks = await startCallbacks(ca);
  context.after(() => callbacks.close());
  const dataDir = join(folder, 'data');

  const request: HubOnLoopback['request'] = (url, form) => {
    const fields = Object.entries(form).map(([name, value]) => [`hub.${name}`, value]);
    const body = new URLSearchParams(fields);
    return fetch(`${url}api/websub/hub`, { method: 'POST', body });
  };
  const received: HubOnLoopback['received'] = (kind) => callbacks.waitFor(kind, PATIENCE_MS);
  return {
    edition,
    received,
    callbacks,
    dataDir,
    request,
    start: async (env = {}) => {
      const sidecar = await startSidecar({
        EDITION: edition.folder,
        DATA_DIR: dataDir,
        HUB_CALLBACK_ALLOW: LOOPBACK.join(),
        RATE_LIMIT: '0',
        MCP_SECRET: 'the secret of the tests',
        HUB_KEY: 'the key of the tests',
        REFRESH_SECONDS: '600',
        NODE_EXTRA_CA_CERTS: caFile,
        ...env,
      });
      context.after(async () => {
        const { child } = sidecar;
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'close');
      });
      return sidecar;
    },
    subscribe: async (url, path) => {
      const topic = edition.topic();
      await request(url, { mode: 'subscribe', topic, callback: callbacks.url(path) });
      await received(({ method, path: asked }) => method === 'GET' && asked.startsWith(path));
    },
  };
}
