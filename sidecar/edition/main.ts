import { openSource } from './origin-source.ts';
import { prepareEdition, type Job, type Report } from './prepare.ts';
import { upkeepFrom } from './verified-files.ts';

// Prepares one edition for the process that serves requests, and ends. It also ends when that process
// does. A terminal and systemd signal both of them, and only the other one decides when to end.

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
process.once('disconnect', () => process.exit());
process.once('message', (job: Job) => void prepare(job));

async function prepare({ address, manifestBytes, ...limits }: Job): Promise<void> {
  const source = openSource(address);
  const upkeep = upkeepFrom(source, (path, error) => report({ kind: 'damage', path, error }));
  const options = { source, manifestBytes: Buffer.from(manifestBytes), upkeep, ...limits };
  const outcome = await prepareEdition(options).then(() => PREPARED, failure);
  report(outcome, () => process.exit());
}

const PREPARED: Report = { kind: 'prepared' };

function failure({ name, message, code }: NodeJS.ErrnoException): Report {
  return { kind: 'failed', name, message, code };
}

function report(message: Report, onSent = (): void => {}): void {
  process.send!(message, onSent);
}
