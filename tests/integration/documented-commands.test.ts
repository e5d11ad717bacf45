import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Manifest } from '../../src/edition/manifest.ts';
import { VALID_CONTENT } from '../support/content-folder.ts';
import { documents } from '../support/documents.ts';
import { TEST_TIME } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { programs, RSYNC_SERVER } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { serveSample } from '../support/targets.ts';
import { copyProgram } from '../support/workflow.ts';

// The shell blocks of the documents, run word by word, in a copy of the program or an empty folder with
// nothing else. What would leave the machine, or change it, notes its arguments instead. Requests with
// curl get a response.

/** Returns the shell blocks of a document. */
function blocksOf(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
}

const NOTE = 'echo "${0##*/} $*" >> "$NOTES"';

/** Runs a block in a folder, without the environment of the tests. */
async function runBlock(
  context: TestContext,
  block: string,
  folder: string,
  scripts: Record<string, string> = {},
): Promise<{ output: string; notes: string[] }> {
  const home = await temporaryFolder(context);
  const npm = (await run('bash', ['-c', 'command -v npm'])).stdout.trim();
  const { PATH } = await programs(context, {
    npm: `case "$1" in ci | install | start | test) ${NOTE} ;; *) exec ${npm} "$@" ;; esac`,
    ...Object.fromEntries(['docker', 'sudo', 'systemctl'].map((name) => [name, NOTE])),
    ...RSYNC_SERVER,
    ...scripts,
  });
  const notes = join(home, 'notes');
  writeFileSync(notes, '');
  const env = {
    PATH: `${PATH.split(':')[0]}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    NOTES: notes,
    RSYNC_BASE: join(home, 'srv'),
    HUB_URL: 'http://127.0.0.1:9/',
    SOURCE_DATE_EPOCH: TEST_TIME,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.example',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.example',
  };
  const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const script = `set -euo pipefail\ncd '${folder}'\n${block}`;
  const { stdout, stderr } = await run('env', ['-i', ...given, 'bash', '-c', script]);
  const lines = readFileSync(notes, 'utf8').split('\n').filter(Boolean);
  return { output: stdout + stderr, notes: lines };
}

/** A copy of the program with a small dataset. */
async function clone(context: TestContext): Promise<string> {
  const folder = await copyProgram(context);
  cpSync(VALID_CONTENT, join(folder, 'content'), { recursive: true });
  return folder;
}

test('one server: the commands publish a signed site of its own address, with secrets and files that exist', async (context) => {
  const [publish, containers, unit, pin, ...others] = blocksOf('sidecar/deploy/README.md');
  assert.deepEqual(others, []);
  const folder = await clone(context);
  // SIGNING.md signs a build, which here is the one that is published.
  const [signing, ...more] = blocksOf('sidecar/deploy/SIGNING.md');
  assert.deepEqual(more, []);
  const signed = signing!.replace(
    /^(SIGNING_KEY=\S+) npm run build .*\n/m,
    `export $1\n${publish!}`,
  );
  assert.ok(signed.includes(publish!));
  const built = await runBlock(
    context,
    `${signed}echo "key: $EDITION_PUBLIC_KEY"\ncp -a "$RSYNC_BASE" ./srv\n`,
    folder,
    { curl: 'cat dist/client/.well-known/reviews-edition-key.json' },
  );
  assert.match(built.output, /reviews known/);
  assert.match(built.output, /signed as number \d+/);
  assert.match(built.output, /^key: [\w-]{43}$/m);
  assert.ok(existsSync(join(folder, 'srv/current/edition-signature.json')));
  const edition = readFileSync(join(folder, 'srv/current/edition.json'), 'utf8');
  assert.equal((JSON.parse(edition) as Manifest).base_url, 'https://reviews.example.com');

  const { notes } = await runBlock(context, containers!, folder);
  assert.deepEqual(notes, [
    'docker compose -f sidecar/deploy/compose.yaml --env-file .env up -d --build',
  ]);
  const settings = readFileSync(join(folder, '.env'), 'utf8').split('\n').filter(Boolean);
  const compose = readFileSync(join(ROOT, 'sidecar/deploy/compose.yaml'), 'utf8');
  const needed = new Set([...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name));
  assert.deepEqual(new Set(settings.map((line) => line.split('=')[0])), needed);
  for (const line of settings) assert.match(line, /=(?:\w{64}|reviews\.example\.com)$/);

  // The build is the one above.
  const installed = await runBlock(context, unit!.replace('&& npm run build', ''), folder);
  for (const line of installed.notes) {
    const [, file] = /^sudo cp (\S+)/.exec(line) ?? [];
    if (file !== undefined) assert.ok(existsSync(join(folder, file)), file);
  }
  assert.match(installed.notes.join('\n'), /enable --now reviews-sidecar\nsudo nginx -t\nsudo sys/);
  assert.deepEqual((await runBlock(context, pin!, folder)).notes.length, 1);
});

test('a clone and a package: the commands of the README work from an empty folder on', async (context) => {
  const [clone, , own, ...others] = blocksOf('README.md');
  assert.deepEqual(others, []);
  const empty = await temporaryFolder(context);
  const { notes } = await runBlock(context, clone!, empty);
  assert.deepEqual(notes, ['npm ci', 'npm start', 'npm ci', 'npm test']);

  const program = join(empty, 'node_modules/reviews-service');
  mkdirSync(dirname(program), { recursive: true });
  symlinkSync(ROOT, program);
  const npx =
    'shift 2; [ "$1" = start ] && exit; exec node node_modules/reviews-service/src/bin/reviews-service.js "$@"';
  const file = join(ROOT, 'tests/fixtures/import/takeout-reviews.json');
  const answered = own!
    .replace('--repository', "--repository --name 'Fenwick Drains' --category plumber")
    .replace('FILE', file);
  const made = await runBlock(context, answered, empty, { npx });
  assert.deepEqual(made.notes, [`npm install https://…/reviews-service-1.1.0.tgz`]);
  assert.match(made.output, /4 added/);
  assert.ok(existsSync(join(empty, '.git')));
  assert.ok(existsSync(join(empty, '.github/workflows/publish.yml')));
});

/** The status of the response to each request with curl that a document shows, in order. */
const STATUS: Record<string, number[]> = {
  'README.md': [200],
  'sidecar/README.md': [200, 400, 200],
  'sidecar/hub/README.md': [202],
  'sidecar/mcp/README.md': [200],
};

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

test('the requests that documents show get a response', { skip }, async (context) => {
  const { port } = new URL(await serveSample(context));
  const statuses: Record<string, number[]> = {};
  for (const { path, text } of documents) {
    const commands = text.replaceAll('\\\n', ' ').match(/^curl .*$/gm) ?? [];
    for (const command of commands) {
      // The documents name the address that `npm start` serves; the test has a port of its own.
      const options = `-s -o /dev/null -w '%{http_code}' --connect-to localhost:4321:127.0.0.1:${port}`;
      const { stdout } = await run('sh', ['-c', command.replace('curl', `curl ${options}`)]);
      (statuses[path] ??= []).push(Number(stdout));
    }
  }
  assert.deepEqual(statuses, STATUS);
});
