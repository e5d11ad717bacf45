import { readFile } from 'node:fs/promises';
import { freePort } from '../support/free-port.ts';
import { startSidecar, type SidecarProcess } from '../support/sidecar-process.ts';

const STARTS = 50;

/** A real sidecar at one address that can be killed and restarted. */
export class Replica {
  readonly url: string;
  /** Error lines of the log, from all runs. */
  readonly errors: string[] = [];
  readonly #env: Record<string, string>;
  #process: SidecarProcess | undefined;
  /** Time it was last killed; milliseconds, monotonic. */
  #killedAt = Infinity;
  #backAt = 0;

  private constructor(port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...env, PORT: String(port) };
  }

  static async start(env: Record<string, string>): Promise<Replica> {
    const replica = new Replica(await freePort(), env);
    await replica.#run();
    return replica;
  }

  /** Tells if it was down at any moment since `time`. */
  wasDownSince(time: number): boolean {
    return this.#killedAt !== Infinity && this.#backAt >= time;
  }

  async kill(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    this.#killedAt = performance.now();
    this.#backAt = Infinity;
    running.child.kill('SIGKILL');
    await running.exited;
    this.#keepErrors();
    this.#process = undefined;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.#run();
    this.#backAt = performance.now();
  }

  /** Returns the resident memory of the process; 0 while it is down. */
  async residentBytes(): Promise<number> {
    this.#keepErrors();
    const pid = this.#process?.child.pid;
    if (pid === undefined) return 0;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }

  async #run(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#process = await startSidecar(this.#env);
        return;
      } catch (error) {
        // Retries like a supervisor: a sidecar cannot start while its edition is being uploaded.
        if (attempt === STARTS || !/is not the file of/.test((error as Error).message)) throw error;
      }
    }
  }

  /** Discards the rest of the log, which would fill the test's memory. */
  #keepErrors(): void {
    for (const line of this.#process?.lines.splice(0) ?? []) {
      if (line.level === 'error') this.errors.push(JSON.stringify(line));
    }
  }
}
