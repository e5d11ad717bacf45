import { runCommand } from '../../src/run-command.ts';
import { hubCopy } from './hub-copy.ts';
import { hubStatus } from './hub-status.ts';

await runCommand({ 'hub:copy': hubCopy, 'hub:status': hubStatus }, process.argv.slice(2));
