import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './fixtures.ts';

export interface LogLine {
  level: string;
  message: string;
  [field: string]: unknown;
}

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { serve: string };
};
/** Flags of Node that `npm run serve` starts the sidecar with. */
export const SERVE_FLAGS = scripts.serve.split(' ').slice(1, -1);

/** The real program on a free port, and what it wrote. */
export interface SidecarProcess {
  url: string;
  /** The log so far. */
  lines: LogLine[];
  child: ChildProcess;
  exited: Promise<number | null>;
}

/**
 * @param context of the test that it ends with, unless the test ends it
 * @param installed where it lies; the project itself when left out
 * @throws with what it wrote to stderr when it ends before it listens
 */
export async function startSidecar(
  env: Record<string, string>,
  context?: { after: (end: () => Promise<void>) => void },
  installed = { folder: ROOT, program: 'sidecar/main.js' },
): Promise<SidecarProcess> {
  const { folder, program } = installed;
  const child = spawn(process.execPath, [...SERVE_FLAGS, join(folder, program)], {
    cwd: folder,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  context?.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const lines: LogLine[] = [];
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogLine;
      lines.push(line);
      if (line.message === 'listening') resolve(line.url as string);
    });
  });
  const failed = exited.then((code) => {
    throw new Error(`exit ${code}: ${errors}`);
  });
  return { url: await Promise.race([listening, failed]), lines, child, exited };
}
