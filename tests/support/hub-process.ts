import { join } from 'node:path';
import { callbacksFor } from './callback-server.ts';
import { temporaryFolder } from './fixtures.ts';
import { LOOPBACK } from './hub.ts';
import { startSidecar, type SidecarProcess } from './sidecar-process.ts';
import { SlimEdition } from './slim-edition.ts';
import { testCaFile } from './test-ca.ts';

/**
 * Makes an edition, subscribers on loopback, and real sidecars, which keep their state in one folder.
 *
 * @param everyKind with a file of each kind that the sample edition has
 */
export async function onLoopback(
  context: Parameters<typeof temporaryFolder>[0],
  everyKind = false,
) {
  const folder = await temporaryFolder(context);
  const edition = await SlimEdition.create(join(folder, 'edition'), everyKind);
  const callbacks = await callbacksFor(context);
  const dataDir = join(folder, 'data');

  /** Sends a request to a hub, with fields without `hub.`. */
  const request = (url: string, form: Record<string, string>): Promise<Response> => {
    const fields = Object.entries(form).map(([name, value]) => [`hub.${name}`, value]);
    const body = new URLSearchParams(fields);
    return fetch(`${url}api/websub/hub`, { method: 'POST', body });
  };
  const own = {
    EDITION: edition.folder,
    DATA_DIR: dataDir,
    HUB_CALLBACK_ALLOW: LOOPBACK.join(),
    RATE_LIMIT: '0',
    MCP_SECRET: 'the secret of the tests',
    HUB_KEY: 'the key of the tests',
    REFRESH_SECONDS: '600',
    NODE_EXTRA_CA_CERTS: await testCaFile(),
  };
  const start = (env: Record<string, string> = {}): Promise<SidecarProcess> =>
    startSidecar({ ...own, ...env }, context);
  /** Returns the fields of a subscription to the Atom topic. */
  const formOf = (path: string) => {
    return { mode: 'subscribe', topic: edition.topic(), callback: callbacks.url(path) };
  };
  /** Subscribes to the Atom topic and waits until that is verified. */
  const subscribe = async (url: string, path: string): Promise<void> => {
    await request(url, formOf(path));
    await callbacks.waitFor(
      ({ method, path: asked }) => method === 'GET' && asked.startsWith(path),
    );
  };
  const { waitFor: received } = callbacks;
  return { edition, callbacks, dataDir, formOf, request, received, start, subscribe };
}
