import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Kills the process with SIGKILL before it puts its KILL_AT-th file in place, or removes it. Loaded
// before the program, with --import.

const killAt = Number(process.env.KILL_AT) || Infinity;
let steps = 0;

for (const step of ['renameSync', 'rmSync'] as const) {
  const original = fs[step] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [step]: (...args: unknown[]) => {
      if (++steps === killAt) process.kill(process.pid, 'SIGKILL');
      return original(...args);
    },
  });
}
syncBuiltinESMExports();
