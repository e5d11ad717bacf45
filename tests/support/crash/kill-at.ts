import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Kills the process with SIGKILL before its KILL_AT-th change of the file system, counted from the
// first one in a folder for files on their way into place. Loaded before the program, with --import.

const STEPS = [
  'mkdirSync',
  'openSync',
  'writeFileSync',
  'fsyncSync',
  'renameSync',
  'rmSync',
] as const;
const STAGING = '.writing';
const killAt = Number(process.env.KILL_AT) || Infinity;
let steps = 0;

for (const step of STEPS) {
  const original = fs[step] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [step]: (...args: unknown[]) => {
      if (steps > 0 || String(args[0]).includes(STAGING)) steps++;
      if (steps === killAt) process.kill(process.pid, 'SIGKILL');
      return original(...args);
    },
  });
}
syncBuiltinESMExports();
