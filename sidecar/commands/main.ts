import { runCommand } from '../../src/run-command.ts';

await runCommand(
  {
    'hub:copy': async () => (await import('./hub-copy.ts')).hubCopy,
    'hub:status': async () => (await import('./hub-status.ts')).hubStatus,
    'hub:try': async () => (await import('./hub-try.ts')).hubTry,
  },
  process.argv.slice(2),
);
