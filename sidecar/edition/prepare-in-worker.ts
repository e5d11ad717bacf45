import { Worker } from 'node:worker_threads';
import type { EditionDocuments } from './documents.ts';
import type { prepareEdition, PreparedEdition } from './prepare.ts';
import { UnusableEditionError } from './source.ts';
import type { WorkerJob, WorkerMessage } from './worker-messages.ts';

/**
 * Returns {@link prepareEdition} for another thread, so that requests do not wait for it. The thread
 * ends with it and returns its memory.
 *
 * @param address the setting EDITION
 */
export function prepareInWorker(address: string): typeof prepareEdition {
  return ({ manifestBytes, dataDir, maxBytes, upkeep }) =>
    new Promise<PreparedEdition>((resolve, reject) => {
      const job: WorkerJob = { address, manifestBytes, dataDir, maxBytes };
      const worker = new Worker(new URL('main.ts', import.meta.url), { workerData: job });
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'damage') {
          upkeep.onDamage(message.path, message.error);
          return;
        }
        if (message.kind === 'failed') reject(toError(message));
        else {
          const { adopted, documents } = message;
          resolve({ adopted: { ...adopted, manifestBytes }, documents: withBuffers(documents) });
        }
        void worker.terminate();
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the worker ended with code ${code}`)));
    });
}

function toError({ name, message, code }: WorkerMessage & { kind: 'failed' }): Error {
  const error =
    name === UnusableEditionError.name ? new UnusableEditionError(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}

/** Arrays of bytes are buffers only in the thread that made them. */
function withBuffers(documents: EditionDocuments): EditionDocuments {
  const { reviews, labels, insights, mcpApp } = documents;
  const toBuffer = ({ buffer, byteOffset, length }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, length);
  return {
    ...documents,
    reviews: { ...reviews, bytes: toBuffer(reviews.bytes) },
    insights: toBuffer(insights),
    labels: labels && { ...labels, bytes: toBuffer(labels.bytes) },
    mcpApp: mcpApp && toBuffer(mcpApp),
  };
}
