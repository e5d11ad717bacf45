import { fork } from 'node:child_process';
import { adoptEdition } from './adopt.ts';
import { readLastGood } from './kept-editions.ts';
import { UnusableEditionError, type EditionSource } from './source.ts';

export interface PrepareOptions {
  source: EditionSource;
  /** edition.json of the source. */
  manifestBytes: Buffer;
  dataDir: string;
  /** Bytes of the largest edition to accept, all files together. */
  maxBytes: number;
  /** Ends the preparation; the next one resumes it. */
  signal: AbortSignal;
}

/**
 * Does the work of a new edition that takes longest: copies and verifies it, and leaves it in
 * DATA_DIR.
 *
 * @throws {UnusableEditionError} if it is incomplete, damaged or too large
 */
export async function prepareEdition({
  source,
  manifestBytes,
  dataDir,
  maxBytes,
  signal,
}: PrepareOptions): Promise<void> {
  const previous = () => readLastGood(dataDir, source.name);
  await adoptEdition(source, manifestBytes, { dataDir, maxBytes, previous, signal });
}

/** The message to the other process. */
export interface Job extends Pick<PrepareOptions, 'dataDir' | 'maxBytes'> {
  /** The setting EDITION: a folder or an address. */
  address: string;
  manifestBytes: Uint8Array;
}

/** The message from it: the error, if it failed. Errors lose their classes between processes. */
export type Report = { name: string; message: string; code: string | undefined } | undefined;

/**
 * Returns {@link prepareEdition} for a process of its own, so that requests do not wait for it, a disk
 * that hangs holds nobody else, and all its memory is returned.
 *
 * @param address the setting EDITION
 */
export function prepareInProcess(address: string): typeof prepareEdition {
  return ({ manifestBytes, dataDir, maxBytes, signal }) =>
    new Promise<void>((resolve, reject) => {
      const job: Job = { address, manifestBytes, dataDir, maxBytes };
      const program = new URL('main.ts', import.meta.url);
      const child = fork(program, { execArgv: [], serialization: 'advanced' });
      const abort = () => {
        child.kill('SIGKILL');
        reject(signal.reason as Error); // a process that waits for a disk ends when the disk answers
      };
      signal.addEventListener('abort', abort, { once: true });
      let outcome: { report: Report } | undefined;
      child.on('message', (message: { report: Report }) => {
        outcome = message;
      });
      child.once('error', reject);
      child.once('exit', (code, ended) => {
        signal.removeEventListener('abort', abort);
        if (outcome?.report) reject(toError(outcome.report));
        else if (outcome) resolve();
        else reject(new Error(`the process that prepares the edition ended: ${ended ?? code}`));
      });
      child.send(job);
    });
}

function toError({ name, message, code }: NonNullable<Report>): Error {
  const error =
    name === UnusableEditionError.name ? new UnusableEditionError(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}
