import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// `npm start`: builds, then serves. The build is a process of its own, whose memory is free again
// when the sidecar runs. The sidecar logs JSON for machines; here a person reads it.
const port = process.env.PORT?.trim() || '4321';
const env = { ...process.env, SITE_URL: process.env.SITE_URL || `http://localhost:${port}` };

const build = run([program('src/build/main.ts'), ...process.argv.slice(2)]);
build.stdout!.pipe(process.stdout);
if ((await exitCode(build)) === 0 && !process.argv.includes('--help')) {
  const sidecar = run(['--max-semi-space-size=8', program('sidecar/main.js')]);
  createInterface({ input: sidecar.stdout! }).on('line', print);
  await exitCode(sidecar);
}

/** Returns a file of the program; the current folder is that of the dataset. */
function program(path: string): string {
  return join(import.meta.dirname, '../..', path);
}

function run(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return child;
}

async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null];
  process.exitCode = code ?? 1;
  return process.exitCode;
}

/** Prints warnings and errors, and the address once the sidecar listens. */
function print(line: string): void {
  const { level, message, url: _, time: __, ...fields } = JSON.parse(line) as LogLine;
  if (message === 'listening') write(`Open ${env.SITE_URL}`);
  else if (level !== 'info') write(`${level}: ${message} ${JSON.stringify(fields)}`);
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface LogLine {
  time: string;
  level: string;
  message: string;
  url?: string;
}
