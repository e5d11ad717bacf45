import { isMarkedAsUntransferable, parentPort, workerData } from 'node:worker_threads';
import { openSource } from './origin-source.ts';
import { prepareEdition, type WorkerJob, type WorkerMessage } from './prepare.ts';
import { upkeepFrom } from './verified-files.ts';

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

/** Finds the memory behind plain data, which another thread can take over without a copy. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (each: unknown): void => {
    if (ArrayBuffer.isView(each)) found.add(each.buffer as ArrayBuffer);
    else if (each instanceof Map) each.forEach(visit);
    else if (typeof each === 'object' && each !== null) Object.values(each).forEach(visit);
  };
  visit(value);
  return [...found].filter((buffer) => !isMarkedAsUntransferable(buffer));
}
