import { fork } from 'node:child_process';
import { adoptEdition } from './adopt.ts';
import { readLastGood } from './kept-editions.ts';
import { UnusableEditionError, type EditionSource } from './source.ts';
import type { Upkeep } from './verified-files.ts';

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
 * Does all the work of a new edition that takes long: copies, verifies and indexes it, and leaves
 * the result in DATA_DIR, where reading it takes little.
 *
 * @throws {UnusableEditionError} if it is incomplete, damaged or too large
 */
export async function prepareEdition({
  source,
  manifestBytes,
  dataDir,
  maxBytes,
}: PrepareOptions): Promise<void> {
  const previous = () => readLastGood(dataDir, source.name);
  await adoptEdition(source, manifestBytes, { dataDir, maxBytes, previous });
}

/** The message to the other process. */
export interface Job extends Pick<PrepareOptions, 'dataDir' | 'maxBytes'> {
  /** The setting EDITION: a folder or an address. */
  address: string;
  manifestBytes: Uint8Array;
}

/** A message from it. Errors lose their classes between processes. */
export type Report =
  | { kind: 'damage'; path: string; error: Error | undefined }
  | { kind: 'prepared' }
  | { kind: 'failed'; name: string; message: string; code: string | undefined };

/**
 * Returns {@link prepareEdition} for a process of its own, so that requests do not wait for it and all
 * its memory is returned; a thread would leave some, and more with every edition.
 *
 * @param address the setting EDITION
 */
export function prepareInProcess(address: string): typeof prepareEdition {
  return ({ manifestBytes, dataDir, maxBytes, upkeep }) =>
    new Promise<void>((resolve, reject) => {
      const job: Job = { address, manifestBytes, dataDir, maxBytes };
      const program = new URL('main.ts', import.meta.url);
      const child = fork(program, { execArgv: [], serialization: 'advanced' });
      let outcome: Report | undefined;
      child.on('message', (report: Report) => {
        if (report.kind === 'damage') upkeep.onDamage(report.path, report.error);
        else outcome = report;
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        if (outcome?.kind === 'prepared') resolve();
        else if (outcome?.kind === 'failed') reject(toError(outcome));
        else reject(new Error(`the process that prepares the edition ended: ${signal ?? code}`));
      });
      child.send(job);
    });
}

function toError({ name, message, code }: Report & { kind: 'failed' }): Error {
  const error =
    name === UnusableEditionError.name ? new UnusableEditionError(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}
