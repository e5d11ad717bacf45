import { once } from 'node:events';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { startSidecar, type SidecarProcess } from '../sidecar-process.ts';

const TIMEOUT_MS = 5_000;
const GIVE_UP_MS = 180_000;
const STARTS = 50;
/** Turns of the event loop in which a connection is accepted, read and its request handled. */
const TURNS = 10;

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

/** Starts real sidecars that can be killed and restarted. @param envs the settings of each */
export async function startReplicas(envs: readonly Record<string, string>[], random: Random) {
  const running: (SidecarProcess | undefined)[] = [];
  let restarts = 0;

  const start = async (index: number): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        running[index] = await startSidecar(envs[index]!);
        return;
      } catch (error) {
        // Retries like a supervisor: a sidecar cannot start while its edition is being uploaded.
        if (attempt === STARTS || !/is not the file of/.test((error as Error).message)) throw error;
      }
    }
  };
  const post = async (body: URLSearchParams): Promise<number | undefined> => {
    const up = running.filter((each) => each !== undefined);
    if (up.length === 0) return undefined;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const url = `${random.pick(up).url}api/websub/hub`;
      const response = await fetch(url, { method: 'POST', body, signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined; // killed before it responded: the request may or may not have been accepted
    }
  };

  await Promise.all(envs.map((_, index) => start(index)));
  return {
    /**
     * Kills one and restarts it.
     *
     * @param signal with SIGTERM each in its turn, else one at random
     * @param onKilled called once it has ended and what it sent is received
     */
    crashOne: async (onKilled: (killedAt: number) => void, signal: 'SIGKILL' | 'SIGTERM') => {
      const index = signal === 'SIGTERM' ? restarts++ % envs.length : random.below(envs.length);
      const { child } = running[index]!;
      const killedAt = performance.now();
      child.kill(signal);
      await once(child, 'close');
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
      onKilled(killedAt);
      running[index] = undefined;
      await start(index);
    },
    /** Sends a form to any of them, and retries until it is accepted. */
    send: async (form: Record<string, string>): Promise<void> => {
      const giveUp = performance.now() + GIVE_UP_MS;
      const body = new URLSearchParams(form);
      for (;;) {
        const status = await post(body);
        if (status === 202) return;
        if (status !== undefined && status < 500) throw new Error(`the hub answered ${status}`);
        if (performance.now() > giveUp) throw new Error(`the hub still answered ${status}`);
        await delay(20);
      }
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const each of running) each?.child.kill('SIGKILL');
      await Promise.all(running.map((each) => each?.exited));
    },
  };
}
