import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from '../support/fixtures.ts';

const COMMANDS = 'src/owner/main.ts';

/** Programs with their arguments, and how each ends: what it writes, and to which stream. */
const ENDS: [args: string[], status: number, message: RegExp][] = [
  [[COMMANDS, 'explain'], 2, /^usage: npm run reviews -- explain <review-id>\n$/],
  [
    [COMMANDS, 'check', '--all'],
    2,
    /^Unknown option '--all'.*\nusage: npm run reviews -- check\n$/,
  ],
  [[COMMANDS, 'sync', 'google'], 2, /^Unexpected argument 'google'.*\nusage: npm run sync /],
  [['sidecar/commands/main.ts', 'status', 'all'], 2, /^usage: npm run hub -- status\n$/],
  [['sidecar/main.js', '--port', '5'], 2, /^usage: npm run serve, .*PORT=8080/],
  [[COMMANDS, 'upload', '/nowhere', 's3://a'], 1, /^\/nowhere\/edition\.json does not exist\n$/],
  [[COMMANDS, 'import', '--help'], 0, /^usage: npm run import /],
  [['sidecar/commands/main.ts', 'try', '--help'], 0, /^usage: npm run hub -- try /],
  [['sidecar/commands/main.ts', '--help'], 0, /^usage: one of status, try\n$/],
  [['sidecar/main.js', '--help'], 0, /^usage: npm run serve, /],
  [['src/start/main.ts', '--help'], 0, /^usage: npm run build /],
];
for (const [args, status, message] of ENDS) {
  test(`${args.join(' ')} ends with ${status} and says so in its place`, async () => {
    const [error, stdout, stderr] = await new Promise<[{ code?: unknown } | null, string, string]>(
      (resolve) => {
        execFile(process.execPath, args, { cwd: ROOT }, (...ended) => resolve(ended));
      },
    );
    assert.match(status === 0 ? stdout : stderr, message);
    assert.deepEqual([error?.code ?? 0, status === 0 ? stderr : stdout], [status, '']);
  });
}
