import { runCommand, withArguments } from '../../src/run-command.ts';

await runCommand(
  {
    'hub:status': withArguments(
      'npm run hub:status',
      async () => (await import('./hub-status.ts')).hubStatus,
    ),
    'hub:try': async () => (await import('./hub-try.ts')).hubTry,
  },
  process.argv.slice(2),
);
