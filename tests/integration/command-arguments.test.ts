import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from '../support/fixtures.ts';

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

function runProgram(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const COMMANDS = 'src/owner/main.ts';
const HUB_COMMANDS = 'sidecar/commands/main.ts';

const REFUSED: [args: string[], message: RegExp][] = [
  [[COMMANDS, 'check', 'folder'], /^usage: npm run reviews -- check\n$/],
  [[COMMANDS, 'explain', 'one', 'two'], /^usage: npm run reviews -- explain <review-id>\n$/],
  [[COMMANDS, 'explain'], /^usage: npm run reviews -- explain <review-id>\n$/],
  [
    [COMMANDS, 'explain', '--all'],
    /^Unknown option '--all'.*\nusage: npm run reviews -- explain <review-id>\n$/,
  ],
  [[COMMANDS, 'ping', 'one', 'two'], /^usage: npm run reviews -- ping /],
  [[COMMANDS, 'sync', 'google'], /^Unexpected argument 'google'.*\nusage: npm run sync /],
  [[HUB_COMMANDS, 'status', 'all'], /^usage: npm run hub -- status\n$/],
  [['sidecar/main.js', '--port', '5'], /^usage: npm run serve, .*PORT=8080/],
];
for (const [args, message] of REFUSED) {
  test(`${args.join(' ')} is refused, with the usage`, async () => {
    const { status, stdout, stderr } = await runProgram(...args);
    assert.match(stderr, message);
    assert.deepEqual([status, stdout], [2, '']);
  });
}

test('--help is no argument of a command, but a question', async () => {
  for (const name of ['explain', 'check', 'sign', 'upload', 'ping']) {
    const { status, stdout } = await runProgram(COMMANDS, name, '--help');
    assert.match(stdout, new RegExp(`^usage: npm run reviews -- ${name}`));
    assert.equal(status, 0);
  }
});

test('a path that is missing, or is a folder, is one sentence', async () => {
  for (const [args, message] of [
    [['upload', '/nowhere', 's3://bucket'], '/nowhere/edition.json does not exist\n'],
  ] as const) {
    const { status, stderr } = await runProgram(COMMANDS, ...args);
    assert.deepEqual([status, stderr], [1, message]);
  }
});
