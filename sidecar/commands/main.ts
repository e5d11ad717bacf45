import { runCommand } from '../../src/run-command.ts';
import { hubCopy } from './hub-copy.ts';
import { hubStatus } from './hub-status.ts';
import { hubTry } from './hub-try.ts';

await runCommand(
  { 'hub:copy': hubCopy, 'hub:status': hubStatus, 'hub:try': hubTry },
  process.argv.slice(2),
);
