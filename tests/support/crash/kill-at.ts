import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Kills the process with SIGKILL before its KILL_AT-th call of the file system, counted from the first
// one in a folder for files on their way into place, or before the first call that KILL_BEFORE names
// after that. Loaded before the program, with --import.

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
      const isNamed = steps > 0 && step === process.env.KILL_BEFORE;
      if (steps === killAt || isNamed) process.kill(process.pid, 'SIGKILL');
      return original(...args);
    },
  });
}
syncBuiltinESMExports();
