import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { SERVE_FLAGS } from '../support/sidecar-process.ts';

const START_MS = 180_000;
const STOP_MS = 12_000;

/** A measured server, in a process of its own on loopback. */
export class ServerProcess {
  readonly port: number;
  /** Time from spawn to the first 200. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number, startMs: number) {
    this.#child = child;
    this.port = port;
    this.startMs = startMs;
  }

  /** @param path gets a 200 once the server is ready */
  static async start(
    command: string,
    args: readonly string[],
    port: number,
    env: Record<string, string> = {},
    path = '/',
  ): Promise<ServerProcess> {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    while (!(await answers(port, path))) {
      if (child.exitCode !== null || performance.now() - started > START_MS) {
        child.kill('SIGKILL');
        throw new Error(`${command} ${args.join(' ')} did not start`);
      }
      await delay(5);
    }
    return new ServerProcess(child, port, performance.now() - started);
  }

  /** Starts the sidecar as an operator runs it, but without rate limits and request logs. */
  static async sidecar(
    edition: string,
    dataDir: string,
    settings: Record<string, string> = {},
  ): Promise<ServerProcess> {
    const env = {
      ...settings,
      EDITION: edition,
      DATA_DIR: dataDir,
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    };
    return this.start(process.execPath, [...SERVE_FLAGS, 'sidecar/main.js'], await freePort(), env);
  }

  /** Starts a program from peers/. */
  static async peer(file: string, env: Record<string, string> = {}): Promise<ServerProcess> {
    const program = join(import.meta.dirname, 'peers', file);
    return this.start(process.execPath, [program], await freePort(), env);
  }

  /** Returns the processor time used by all threads so far, from the scheduler. */
  async cpuSeconds(): Promise<number> {
    const tasks = `/proc/${this.#child.pid}/task`;
    let nanoseconds = 0;
    for (const task of await readdir(tasks)) {
      const text = await readFile(join(tasks, task, 'schedstat'), 'utf8').catch(() => '0');
      nanoseconds += Number(text.split(' ')[0]);
    }
    return nanoseconds / 1e9;
  }

  /** Returns the resident memory of the process. */
  async residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    const cut = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await closed;
    clearTimeout(cut);
  }
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}
