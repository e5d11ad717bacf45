import { once } from 'node:events';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { startSidecar, type SidecarProcess } from '../sidecar-process.ts';

const TIMEOUT_MS = 5_000;
const GIVE_UP_MS = 180_000;
const STARTS = 50;
/** Turns of the event loop in which a connection is accepted, read and its request handled. */
const TURNS = 10;

/** Real sidecars that can be killed and restarted. */
export class Replicas {
  readonly #envs: readonly Record<string, string>[];
  readonly #random: Random;
  readonly #running: (SidecarProcess | undefined)[];
  #restarts = 0;

  private constructor(envs: readonly Record<string, string>[], random: Random) {
    this.#envs = envs;
    this.#random = random;
    this.#running = envs.map(() => undefined);
  }

  /** @param envs the settings of each */
  static async start(envs: readonly Record<string, string>[], random: Random): Promise<Replicas> {
    const replicas = new Replicas(envs, random);
    await Promise.all(envs.map((_, index) => replicas.#start(index)));
    return replicas;
  }

  /**
   * Kills one and restarts it.
   *
   * @param signal with SIGTERM each in its turn, else one at random
   * @param onKilled called once it has ended and what it sent is received
   */
  async crashOne(
    onKilled: (killedAt: number) => void,
    signal: 'SIGKILL' | 'SIGTERM',
  ): Promise<void> {
    const count = this.#envs.length;
    const index = signal === 'SIGTERM' ? this.#restarts++ % count : this.#random.below(count);
    const { child } = this.#running[index]!;
    const killedAt = performance.now();
    child.kill(signal);
    await once(child, 'close');
    for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    onKilled(killedAt);
    this.#running[index] = undefined;
    await this.#start(index);
  }

  /** Sends a form to any of them, and retries until it is accepted. */
  async send(form: Record<string, string>): Promise<void> {
    const giveUp = performance.now() + GIVE_UP_MS;
    const body = new URLSearchParams(form);
    for (;;) {
      const status = await this.#post(body);
      if (status === 202) return;
      if (status !== undefined && status < 500) throw new Error(`the hub answered ${status}`);
      if (performance.now() > giveUp) throw new Error(`the hub still answered ${status}`);
      await delay(20);
    }
  }

  async stop(): Promise<void> {
    for (const running of this.#running) running?.child.kill('SIGKILL');
    await Promise.all(this.#running.map((running) => running?.exited));
  }

  async #start(index: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#running[index] = await startSidecar(this.#envs[index]!);
        return;
      } catch (error) {
        // Retries like a supervisor: a sidecar cannot start while its edition is being uploaded.
        if (attempt === STARTS || !/is not the file of/.test((error as Error).message)) throw error;
      }
    }
  }

  async #post(body: URLSearchParams): Promise<number | undefined> {
    const up = this.#running.filter((running) => running !== undefined);
    if (up.length === 0) return undefined;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const url = `${this.#random.pick(up).url}api/websub/hub`;
      const response = await fetch(url, { method: 'POST', body, signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined; // killed before it responded: the request may or may not have been accepted
    }
  }
}
