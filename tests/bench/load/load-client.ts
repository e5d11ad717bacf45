import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Job, Outcome } from './job.ts';

/** Sends load from a process of its own, so that only the server is measured. */
export class LoadClient {
  readonly #child = fork(join(import.meta.dirname, 'client-process.ts'));

  async run(job: Job): Promise<Outcome> {
    this.#child.send(job);
    const [outcome] = (await once(this.#child, 'message')) as [Outcome | { error: string }];
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome;
  }

  close(): void {
    this.#child.disconnect();
  }
}
