import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './edition.ts';

/** The real program on a free port, and what it wrote. */
export interface SidecarProcess {
  url: string;
  child: ChildProcess;
  exited: Promise<number | null>;
}

/** @throws with what it wrote to stderr when it ends before it listens */
export async function startSidecar(env: Record<string, string>): Promise<SidecarProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'sidecar/main.ts')], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as { message: string; url?: string };
    if (line.message !== 'listening') continue;
    child.stdout.resume();
    return { url: line.url!, child, exited };
  }
  throw new Error(`exit ${await exited}: ${errors}`);
}
