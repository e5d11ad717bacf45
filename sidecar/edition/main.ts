import { parentPort, workerData } from 'node:worker_threads';
import { openSource } from './origin-source.ts';
import { prepareEdition } from './prepare.ts';
import { upkeepFrom } from './verified-files.ts';
import { buffersOf, type WorkerJob, type WorkerMessage } from './worker-messages.ts';

// Prepares one edition, so that the thread that serves requests need not, and ends.

const { address, manifestBytes, ...limits } = workerData as WorkerJob;
const source = openSource(address);

function send(message: WorkerMessage, transferred: ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message, transferred);
}

try {
  const upkeep = upkeepFrom(source, (path, error) => send({ kind: 'damage', path, error }));
  const options = { source, manifestBytes: Buffer.from(manifestBytes), upkeep, ...limits };
  const { adopted, documents } = await prepareEdition(options);
  send({ kind: 'prepared', adopted, documents }, buffersOf(documents));
} catch (error) {
  const { name, message, code } = error as NodeJS.ErrnoException;
  send({ kind: 'failed', name, message, code });
}
