import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** Debian's programs, in the newest version installed. */
const [BIN] = globSync('/usr/lib/postgresql/*/bin').sort().toReversed();

/** Options of tests that need PostgreSQL. */
export const onPostgres = { skip: BIN ? false : 'PostgreSQL is not installed (.ci/run does it)' };

/**
 * Settings that save time: a killed process loses nothing without `fsync`, which is for a machine that
 * loses power, and no database lives long enough to need the vacuum that looks at each in turn.
 */
const FOR_TESTS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];

/** A PostgreSQL server for the test, in a temporary folder, on loopback. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  readonly #kill = () => this.#process?.kill('SIGQUIT');
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
    process.once('exit', this.#kill);
  }

  /** @param settings of the server */
  static async start(settings: readonly string[] = FOR_TESTS): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'reviews-postgres-'));
    const user = unprivileged();
    if (user) chownSync(folder, user.uid, user.gid);
    const options = ['-D', join(folder, 'data'), '-U', 'test', '-A', 'trust', '-E', 'UTF8'];
    execFileSync(join(BIN!, 'initdb'), [...options, '--locale=C', '--no-sync'], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server = new PostgresServer(folder, await freePort(), settings);
    await server.run();
    return server;
  }

  /** Starts it, also after a `crash`; resolves when it responds. */
  async run(): Promise<void> {
    const folder = this.#folder;
    const options = ['-D', join(folder, 'data'), '-p', String(this.#port), '-h', '127.0.0.1'];
    const settings = this.#settings.flatMap((setting) => ['-c', setting]);
    this.#process = spawn(join(BIN!, 'postgres'), [...options, '-k', folder, ...settings], {
      ...unprivileged(),
      cwd: folder,
      stdio: 'ignore',
    });
    await eventually(() =>
      this.#query('select 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Kills it without notice to its clients; committed data stays. */
  async crash(): Promise<void> {
    const { exitCode, signalCode } = this.#process!;
    if (exitCode !== null || signalCode !== null) return;
    this.#process!.kill('SIGQUIT');
    await once(this.#process!, 'exit');
  }

  /** Creates an empty database and returns its URL. */
  async database(): Promise<string> {
    const name = `test${++this.#databases}`;
    await this.#query(`create database ${name}`);
    return this.#url(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crash();
    process.off('exit', this.#kill);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #url(database: string): string {
    return `postgres://test@127.0.0.1:${this.#port}/${database}`;
  }

  async #query(text: string): Promise<void> {
    const client = new Client({ connectionString: this.#url('postgres') });
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end();
    }
  }
}

/** Returns another user if the tests run as root, because PostgreSQL refuses to. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid!() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = (users.find((line) => /^(postgres|nobody):/.test(line)) ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
