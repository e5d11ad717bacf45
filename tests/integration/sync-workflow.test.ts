import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { emptyDataset } from '../support/import.ts';
import { sync } from '../../src/owner/commands/sync.ts';
import { SECRETS, startReviewApis, SYNC_ENV } from '../support/review-apis.ts';
import { programs } from '../support/programs.ts';
import { runHere } from '../support/run-here.ts';
import { run } from '../support/run.ts';
import { copyProgram, jobsOf, readWorkflow, runSteps } from '../support/workflow.ts';

const REDIRECT = `--import=${join(ROOT, 'tests/support/redirect-fetch-preload.mjs')}`;

const git = (folder: string, ...args: string[]) =>
  run('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args]);

/** Commits a folder as a new repository. @returns the repository that it is pushed to */
async function originOf(folder: string): Promise<string> {
  const origin = `${folder}-origin.git`;
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'Begin');
  await git(folder, 'clone', '--quiet', '--bare', folder, origin);
  await git(folder, 'remote', 'add', 'origin', origin);
  return origin;
}

/** A dataset repository, checked out beside the program, and a `gh` that notes its calls. */
async function setUp(context: TestContext) {
  const apis = await startReviewApis(context);
  const program = await copyProgram(context);
  const dataset = await emptyDataset(context);
  const origin = await originOf(dataset.folder);
  await git(program, 'clone', '--quiet', origin, join(program, 'dataset'));
  const calls = join(program, '..', 'calls');
  await writeFile(calls, '');
  const path = await programs(context, { gh: `echo "$*" >> "${calls}"` });
  const runner = join(program, '..', 'runner');
  const told = { output: join(runner, 'output'), summary: join(runner, 'summary') };
  await mkdir(runner);
  const env = {
    CONTENT_DIR: 'dataset/',
    RUNNER_TEMP: runner,
    GITHUB_OUTPUT: told.output,
    GITHUB_STEP_SUMMARY: told.summary,
    ...path,
  };
  const apiEnv = { ...SYNC_ENV, WITHDRAW: '', NODE_OPTIONS: REDIRECT, REVIEW_APIS: apis.origin };
  const { jobs } = readWorkflow('sync.yml');
  /** Runs both jobs, each in a checkout of its own, as their conditions say. */
  const sync = async (overrides = {}): Promise<string> => {
    for (const file of Object.values(told)) await writeFile(file, '');
    await git(program, '-C', 'dataset', 'fetch', '--quiet');
    await git(program, '-C', 'dataset', 'reset', '--quiet', '--hard', 'origin/main');
    const output = await runSteps(jobs.read!.steps, program, { ...env, ...apiEnv, ...overrides });
    if (!(await readFile(told.output, 'utf8')).includes('changed=true')) return output;
    const checkout = join(await temporaryFolder(context), 'checkout');
    await git(program, 'clone', '--quiet', origin, checkout);
    await mkdir(join(runner, 'difference'), { recursive: true });
    await rename(join(runner, 'sync.patch'), join(runner, 'difference/sync.patch'));
    const token = { GH_TOKEN: 'S3CRET-gh', BRANCH: 'main' };
    return output + (await runSteps(jobs.commit!.steps, checkout, { ...env, ...token }));
  };
  return {
    apis,
    sync,
    summary: () => readFile(told.summary, 'utf8'),
    log: async () => (await git(origin, 'log', '--format=%s', 'main')).stdout.trim().split('\n'),
    show: async (path: string) => (await git(origin, 'show', `main:${path}`)).stdout,
    ghCalls: async () => (await readFile(calls, 'utf8')).trim().split('\n').filter(Boolean),
  };
}

test('sync.yml commits what is new and starts the publish workflow', async (context) => {
  const { apis, sync, summary, log, show, ghCalls } = await setUp(context);
  const review = { stars: 5, text: 'They came the same day.', created: '2024-05-02T10:00:00Z' };
  apis.google = [{ id: 'g1', ...review }];
  apis.trustpilot = [{ id: 't1', ...review }];
  const output = await sync();
  assert.match(output, /Read every review on Google\.\n[\s\S]*1 added/);
  assert.match(output, /Read every review on Trustpilot\.\n[\s\S]*1 added/);
  assert.doesNotMatch(output, /S3CRET/);
  assert.deepEqual(await log(), ['Sync reviews', 'Begin']);
  assert.match(await summary(), /reviews\/2024\.jsonl\s+\|\s+2 \+\+/);
  assert.equal((await show('reviews/2024.jsonl')).trim().split('\n').length, 2);
  assert.deepEqual(await ghCalls(), ['auth setup-git', 'workflow run publish.yml --ref main']);

  assert.doesNotMatch(await sync(), /S3CRET/);
  assert.deepEqual(await log(), ['Sync reviews', 'Begin'], 'no commit without a difference');
  assert.equal((await ghCalls()).length, 2);

  apis.google = [{ id: 'g2', ...review, text: 'Another customer, another day.' }];
  const withdrawn = await sync({ WITHDRAW: 'true' });
  assert.match(withdrawn, /1 added, 0 changed, 1 withdrawn/);
  assert.match(await show('withdrawn.jsonl'), /"source_id":"g1"/);
});

/** Changes that a job that reads could send beside a review. */
const FORGERIES: [what: string, forge: (folder: string) => Promise<unknown>][] = [
  ['another program', (folder) => writeFile(join(folder, 'src/main.ts'), 'other\n')],
  ['another package', (folder) => writeFile(join(folder, 'package.json'), '{}\n')],
  ['a page of the dataset', (folder) => writeFile(join(folder, 'content/summary.md'), 'Best.\n')],
  ['a link', (folder) => symlink('../../src/main.ts', join(folder, 'content/reviews/2025.jsonl'))],
  [
    'a program moved to the reviews',
    (folder) => rename(join(folder, 'src/main.ts'), join(folder, 'content/reviews/2025.jsonl')),
  ],
  [
    'reviews that can be executed',
    (folder) => chmod(join(folder, 'content/reviews/2024.jsonl'), 0o755),
  ],
];

for (const file of ['.github/workflows/sync.yml', 'src/owner/repository/sync.yml']) {
  test(`the job of ${file} that commits takes what a sync writes, and nothing else`, async (context) => {
    const folder = await temporaryFolder(context);
    const checkout = join(folder, 'checkout');
    await mkdir(join(folder, 'difference'));
    await mkdir(join(checkout, 'src'), { recursive: true });
    await mkdir(join(checkout, 'content/reviews'), { recursive: true });
    await writeFile(join(checkout, 'src/main.ts'), 'the program\n'.repeat(9));
    await writeFile(join(checkout, 'content/reviews/2024.jsonl'), '{}\n');
    await originOf(checkout);
    const env = {
      CONTENT_DIR: 'content',
      RUNNER_TEMP: folder,
      GH_TOKEN: '',
      BRANCH: 'main',
      ...(await programs(context, { gh: '' })),
    };
    /** Commits what a forgery changes beside a review. @returns the paths that are pushed */
    const commit = async (forge: (folder: string) => Promise<unknown>): Promise<string> => {
      await writeFile(join(checkout, 'content/reviews/2026.jsonl'), '{}\n');
      await forge(checkout);
      await git(checkout, 'add', '--all');
      const { stdout } = await git(checkout, 'diff', '--cached', '--binary', '--find-renames');
      await writeFile(join(folder, 'difference/sync.patch'), stdout);
      await git(checkout, 'reset', '--quiet', '--hard');
      await runSteps(jobsOf(file).commit!.steps, checkout, env);
      return (await git(checkout, 'diff', '--name-only', 'origin/main~', 'origin/main')).stdout;
    };
    for (const [what, forge] of FORGERIES) {
      await assert.rejects(commit(forge), /the difference is more than reviews:\n:/, what);
      await git(checkout, 'reset', '--quiet', '--hard');
    }
    assert.equal(await commit(async () => {}), 'content/reviews/2026.jsonl\n');
  });
}

test('npm run sync goes on with the next platform when one fails, without a secret', async (context) => {
  const apis = await startReviewApis(context);
  const dataset = await emptyDataset(context);
  apis.trustpilot = [
    { id: 't1', stars: 4, text: 'Quick and friendly.', created: '2024-05-02T10:00:00Z' },
  ];
  const env = { ...SYNC_ENV, GOOGLE_REFRESH_TOKEN: '1//S3CRET-revoked' };
  const { error, output } = await runHere(sync, dataset.folder, ['--rows'], env);
  assert.match(output, /1 added/);
  const message = String((error as AggregateError).errors);
  assert.match(message, /Google answered 400: invalid_grant: GOOGLE_REFRESH_TOKEN/);
  const files = JSON.stringify(await dataset.files());
  for (const secret of Object.values(SECRETS)) assert.ok(!files.includes(secret));
  assert.doesNotMatch(message + output, /S3CRET/);
});
