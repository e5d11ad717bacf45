import { openSource } from './origin-source.ts';
import { prepareEdition, type Job, type Report } from './prepare.ts';

// Prepares one edition for the process that serves requests, and ends. It also ends when that process
// does. A terminal and systemd signal both of them, and only the other one decides when to end.

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
process.once('disconnect', () => process.exit());
process.once('message', (job: Job) => void prepare(job));

async function prepare({ address, manifestBytes, ...limits }: Job): Promise<void> {
  const { signal } = new AbortController(); // it is ended from outside
  const options = {
    source: openSource(address),
    manifestBytes: Buffer.from(manifestBytes),
    signal,
  };
  const report = await prepareEdition({ ...options, ...limits }).then(() => undefined, failure);
  process.send!({ report }, () => process.exit());
}

function failure({ name, message, code }: NodeJS.ErrnoException): Report {
  return { name, message, code };
}
