import { runCommand, withArguments } from '../../src/run-command.ts';

await runCommand(
  {
    status: withArguments(
      'npm run hub -- status',
      async () => (await import('./hub-status.ts')).hubStatus,
    ),
    try: async () => (await import('./hub-try.ts')).hubTry,
  },
  process.argv.slice(2),
);
