import { collectGarbage } from './garbage.ts';

// Loaded into a process with --import: on SIGUSR2 it collects all garbage and writes the remaining
// bytes as a line of JSON.

process.on('SIGUSR2', async () => {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const line = { level: 'debug', message: 'heap', bytes: heapUsed + external };
  process.stdout.write(`${JSON.stringify(line)}\n`);
});
