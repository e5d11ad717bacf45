import { isMarkedAsUntransferable } from 'node:worker_threads';
import type { PreparedEdition, PrepareOptions } from './prepare.ts';

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

/** Finds the memory behind plain data, which another thread can take over without a copy. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (each: unknown): void => {
    if (ArrayBuffer.isView(each)) found.add(each.buffer as ArrayBuffer);
    else if (each instanceof Map) each.forEach(visit);
    else if (typeof each === 'object' && each !== null) Object.values(each).forEach(visit);
  };
  visit(value);
  return [...found].filter((buffer) => !isMarkedAsUntransferable(buffer));
}
