import { Worker } from 'node:worker_threads';
import { adoptEdition } from './adopt.ts';
import { readDocuments, type EditionDocuments } from './edition.ts';
import { readLastGood, type AdoptedEdition } from './kept-editions.ts';
import { UnusableEditionError, type EditionSource } from './source.ts';
import type { Upkeep } from './verified-files.ts';

/** An edition in DATA_DIR with its documents, ready to be created. */
export interface PreparedEdition {
  adopted: AdoptedEdition;
  documents: EditionDocuments;
}

export interface PrepareOptions {
  source: EditionSource;
  /** edition.json of the source. */
  manifestBytes: Buffer;
  dataDir: string;
  /** Bytes of the largest edition to accept, all files together. */
  maxBytes: number;
  upkeep: Upkeep;
}

/**
 * Does all the work of a new edition that takes long: copies, verifies, reads and indexes it.
 *
 * @throws {UnusableEditionError} if it is incomplete, damaged or too large
 */
export async function prepareEdition({
  source,
  manifestBytes,
  dataDir,
  maxBytes,
  upkeep,
}: PrepareOptions): Promise<PreparedEdition> {
  const previous = () => readLastGood(dataDir, source.name);
  const adopted = await adoptEdition(source, manifestBytes, { dataDir, maxBytes, previous });
  return { adopted, documents: await readDocuments(adopted, upkeep) };
}

export interface WorkerJob extends Pick<PrepareOptions, 'dataDir' | 'maxBytes'> {
  /** The setting EDITION: a folder or an address. */
  address: string;
  manifestBytes: Uint8Array;
}

/** Errors and buffers lose their classes on the way between threads. */
export type WorkerMessage =
  | { kind: 'damage'; path: string; error: Error | undefined }
  | ({ kind: 'prepared' } & PreparedEdition)
  | { kind: 'failed'; name: string; message: string; code: string | undefined };

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
