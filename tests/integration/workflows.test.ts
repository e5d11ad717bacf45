import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { jobsFor, type GitHubEvent } from '../support/workflow-run.ts';

const step = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const job = z.object({
  'timeout-minutes': z.int(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  steps: z.array(step).min(1),
});
const workflow = z.object({
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.record(z.string(), job),
});

/** Those of the program, and those of a dataset in a repository of its own. */
const files = globSync(['.github/workflows/*.yml', 'src/owner/repository/*.yml'], { cwd: ROOT });
type Step = z.infer<typeof step>;

function jobsOf(file: string): [string, z.infer<typeof job>][] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return Object.entries(workflow.parse(parseDocument(text).toJS()).jobs);
}

function stepsOf(file: string): Step[] {
  return jobsOf(file).flatMap(([, { steps }]) => steps);
}

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test('workflows that commit or release are the only ones that may write', () => {
  assert.deepEqual([...new Set(files.map((file) => basename(file)))].sort(), [
    'ci.yml',
    'publish.yml',
    'release.yml',
    'sync.yml',
  ]);
  const writing = files.filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes('contents: write'),
  );
  assert.deepEqual([...new Set(writing.map((file) => basename(file)))].sort(), [
    'release.yml',
    'sync.yml',
  ]);
});

test('publish.yml starts with a change of the dataset, each week, and for new code by tag or by hand', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/publish.yml'), 'utf8');
  const { on } = parseDocument(text).toJS() as { on: Record<string, unknown> };
  const { push, ...others } = on;
  assert.deepEqual(push, { branches: ['main'], paths: ['content/**'], tags: ['v*'] });
  assert.deepEqual(Object.keys(others), ['schedule', 'workflow_dispatch', 'workflow_call']);
});

for (const file of files) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const document = parseDocument(text, { uniqueKeys: true });
  const parsed = () => workflow.parse(document.toJS());
  const steps = () => stepsOf(file);

  test(`${file} is valid YAML, whose jobs may only read unless they say so`, () => {
    assert.deepEqual([...document.errors, ...document.warnings], []);
    parsed();
  });

  test(`${file} needs jobs that exist`, () => {
    const { jobs } = parsed();
    for (const { needs = [] } of Object.values(jobs)) {
      for (const name of [needs].flat()) assert.ok(name in jobs, name);
    }
  });

  test(`${file} pins every action to a commit, with its version beside`, () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, what]) => what!);
    assert.ok(used.length > 0);
    for (const what of used) assert.match(what, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test(`${file} runs scripts and files that exist, in valid shell`, () => {
    const runs = steps().flatMap(({ run }) => run ?? []);
    for (const run of runs) {
      for (const [, name] of run.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) {
        assert.ok(name && name in scripts, name);
      }
      for (const [path] of run.matchAll(/\bsidecar\/[\w./-]+/g)) {
        assert.ok(existsSync(join(ROOT, path)), path);
      }
    }
    // A function each, so that none goes on in the next.
    const functions = runs.map((run, at) => `step${at}() {\n${run}\n}\n`);
    execFileSync('bash', ['-n', '-c', functions.join('')]);
  });

  test(`${file} gives a shell nothing that a stranger may write but through env`, () => {
    const scripts = steps().flatMap(({ run }) => run ?? []);
    assert.ok(scripts.length > 0);
    for (const script of scripts) assert.doesNotMatch(script, /\$\{\{/);
  });

  test(`${file} leaves no token in the checkout`, () => {
    const checkouts = steps().filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    assert.ok(checkouts.length > 0);
    for (const { with: options } of checkouts) {
      assert.equal(options?.['persist-credentials'], false);
    }
  });
}

test('tools that deploy have an exact version, and no package that is younger', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/publish.yml'), 'utf8');
  const tools = [...text.matchAll(/\bnpx .*?([\w-]+)@(\S+) deploy\b/g)];
  assert.deepEqual(
    tools.map(([, tool]) => tool),
    ['wrangler', 'netlify-cli'],
  );
  for (const [command, tool] of tools) {
    const form = new RegExp(
      String.raw`^npx --yes --ignore-scripts --before=20\d\d-\d\d-\d\d ${tool}@\d+\.\d+\.\d+ deploy$`,
    );
    assert.match(command, form);
  }
});

test('no other package is run but those of the lock file', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> };
  for (const { run = '' } of files.flatMap((file) => stepsOf(file))) {
    assert.doesNotMatch(run, /\bnpm (install|i|add)\b/, 'npm ci follows the lock file');
    for (const [, name] of run.matchAll(/\bnpx (?!--yes)(.+)/g)) {
      // The program, which a dataset's own lock file has; without it npx would ask the registry.
      const isProgram = name!.startsWith('--no reviews-service ');
      assert.ok(isProgram || packages[`node_modules/${name!.split(' ')[0]}`]?.integrity, name);
    }
  }
});

test('the notes of a release name the address of the package, and the digest that npm checks', async (context) => {
  const folder = await temporaryFolder(context);
  await writeFile(join(folder, 'reviews-service-9.9.9.tgz'), 'a package');
  await writeFile(join(folder, 'gh'), '#!/bin/sh\n', { mode: 0o755 });
  const { run } = stepsOf('.github/workflows/release.yml').at(-1)!;
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    GITHUB_SERVER_URL: 'https://git.example',
    GITHUB_REPOSITORY: 'an-owner/reviews-service',
    GITHUB_REF_NAME: 'v9.9.9',
  };
  execFileSync('bash', ['-ec', run!], { cwd: folder, env });
  const [, , address, integrity] = readFileSync(join(folder, 'notes'), 'utf8').split('\n');
  assert.equal(
    address,
    'Package: https://git.example/an-owner/reviews-service/releases/download/v9.9.9/reviews-service-9.9.9.tgz',
  );
  assert.equal(integrity, `Its integrity: sha512-${hash('sha512', 'a package', 'base64')}`);
});

test('images have an exact version, the one of Node being that of package.json', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const { devDependencies } = JSON.parse(read('package.json')) as {
    devDependencies: { node: string };
  };
  const bases = [...read('sidecar/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base!);
  const others = [...read('sidecar/deploy/compose.yaml').matchAll(/image: (.+:.+)/g)];
  const images = [...bases, ...others.map(([, image]) => image!)];
  assert.ok(bases.length > 0 && others.length > 0);
  for (const image of images) {
    assert.match(image, /^[a-z]+:\d+\.\d+(\.\d+)?(-slim)?(@sha256:[\da-f]{64})?$/);
  }
  for (const base of bases) assert.ok(base.startsWith(`node:${devDependencies.node}-slim`), base);
});

/** Runs the program, a package or a package manager. */
const RUNS_CODE = /\b(npm|npx|node)\b|sidecar\/deploy\//;
const INSTALLS = /\bnpm (ci|install|i)\b|\bnpx --yes\b/;

const deploying = () => jobsOf('.github/workflows/publish.yml');
const syncing = () => jobsOf('.github/workflows/sync.yml');
const secretsOf = ({ env = {} }: Step): string[] =>
  Object.values(env).flatMap((value) => /secrets\.(\w+)/.exec(value)?.[1] ?? []);

test('a job with a secret installs packages without their scripts', () => {
  for (const [name, { steps }] of [...deploying(), ...syncing()]) {
    for (const { run = '' } of steps) {
      if (INSTALLS.test(run)) assert.match(run, /--ignore-scripts\b/, `${name}: ${run}`);
    }
  }
});

test('the key that signs is in a job that installs nothing', () => {
  const signing = deploying().filter(([, { steps }]) =>
    steps.some((step) => secretsOf(step).includes('SIGNING_KEY')),
  );
  assert.deepEqual(
    signing.map(([name]) => name),
    ['sign'],
  );
  const [, { steps, environment }] = signing[0]!;
  assert.equal(environment, 'production');
  const commands = steps.flatMap(({ run }) => run ?? []);
  assert.deepEqual(commands, ['node src/owner/main.ts sign dist/client']);
});

test('secrets are given to the one step that needs them, and only the environment has those of a deployment', () => {
  for (const [name, { steps, environment }] of deploying()) {
    for (const step of steps) {
      if (secretsOf(step).length === 0) continue;
      assert.equal(environment, 'production', name);
      if (name !== 'sign') assert.match(step.if ?? '', /^vars\.DEPLOY == '\w+'$/);
    }
  }
  const reading = syncing().flatMap(([, { steps }]) => steps.filter((each) => secretsOf(each)[0]));
  assert.deepEqual(
    reading.map(({ name }) => name),
    ['read the reviews'],
  );
});

test('a job that may write, and a step that has a token, runs no program and no package', () => {
  const writing = [...syncing(), ...deploying()].filter(([, { permissions }]) => permissions);
  assert.deepEqual(writing.map(([name]) => name).sort(), ['commit', 'pages', 'site']);
  for (const [, { steps }] of writing) {
    for (const { run = '' } of steps) assert.doesNotMatch(run, RUNS_CODE);
  }
  for (const step of files.flatMap((file) => stepsOf(file))) {
    const hasToken = JSON.stringify([step.env, step.with]).includes('github.token');
    if (hasToken) assert.doesNotMatch(step.run ?? '', RUNS_CODE);
  }
});

test('a job that has the edition to deploy it has its signature, if there is a key', () => {
  const has = (steps: readonly Step[], name: string) =>
    steps.find((step) => step.uses?.includes('/download-artifact@') && step.with?.name === name);
  const having = deploying().filter(
    ([name, { steps }]) => name !== 'sign' && has(steps, 'edition'),
  );
  assert.deepEqual(having.map(([name]) => name).sort(), ['deploy', 'notify', 'pages']);
  for (const [name, { steps, needs = [], if: condition }] of having) {
    assert.equal(has(steps, 'signature')?.if, "vars.EDITION_PUBLIC_KEY != ''", name);
    const waits = [needs].flat().includes('sign');
    const follows = [needs].flat().includes('deploy');
    assert.ok(waits ? condition?.includes("needs.sign.result == 'success'") : follows);
  }
});

test('after a deployment the hub is pinged, and last of all the live site is asked', () => {
  const jobs = new Map(deploying());
  const { needs, steps } = jobs.get('notify')!;
  assert.deepEqual(needs, ['site', 'deploy', 'pages']);
  assert.deepEqual(
    steps.slice(-2).map(({ run }) => run),
    [
      'npm run reviews -- ping dist/client',
      'npm run reviews -- doctor --edition dist/client "$SITE_URL"',
    ],
  );
  const builds = jobs.get('build')!.steps.map(({ run }) => run);
  assert.ok(builds.includes('npm run build -- --strict --no-ping'));
  const [, last] = jobsOf(TEMPLATE).at(-1)!;
  assert.equal(last.steps.at(-1)!.run, 'npx --no reviews-service doctor --edition . "$SITE_URL"');
});

const TEMPLATE = 'src/owner/repository/publish.yml';
const PUBLISH = '.github/workflows/publish.yml';
const PROJECT = { pagesUrl: 'https://owner.github.io/reviews', defaultBranch: 'trunk' };

test('a repository of its own publishes its default branch, whatever its name and event, where Pages says', () => {
  // What starts a scheduled run, or one by hand, has the default branch as its ref, too.
  const ref = 'refs/heads/trunk';
  for (const pagesUrl of [
    PROJECT.pagesUrl,
    'https://owner.github.io',
    'https://reviews.example.com',
  ]) {
    const jobs = jobsFor(TEMPLATE, { ...PROJECT, ref, pagesUrl });
    assert.deepEqual([...jobs.keys()], ['site', 'build', 'deploy', 'doctor']);
    assert.equal(jobs.get('build')!.SITE_URL, pagesUrl);
    assert.equal(jobs.get('doctor')!.SITE_URL, pagesUrl);
  }
  const own = { SITE_URL: 'https://own.example', HUB_URL: 'https://hub.example' };
  const jobs = jobsFor(TEMPLATE, { ...PROJECT, ref, vars: own });
  assert.equal(jobs.get('build')!.SITE_URL, 'https://own.example');
  assert.equal(jobs.get('notify')!.SITE_URL, 'https://own.example');
  for (const other of ['refs/heads/main', 'refs/heads/a/trunk', 'refs/tags/trunk']) {
    assert.deepEqual([...jobsFor(TEMPLATE, { ...PROJECT, ref: other }).keys()], ['site'], other);
  }
});

test('publish.yml publishes the default branch of a caller, and tags of the program alone', () => {
  const caller = { inputs: { program: 'owner/program' }, vars: { DEPLOY: 'pages' } };
  const keys = (event: Partial<GitHubEvent>) => [
    ...jobsFor(PUBLISH, { ...PROJECT, ref: 'refs/heads/trunk', ...event }).keys(),
  ];
  const onPages = ['site', 'build', 'pages', 'notify'];
  assert.deepEqual(keys(caller), onPages);
  for (const ref of ['refs/tags/v9', 'refs/heads/main']) {
    assert.deepEqual(keys({ ...caller, ref }), ['site'], ref);
  }
  assert.deepEqual(keys({ ref: 'refs/tags/v9' }), ['site', 'build'], 'nothing is deployed');
  const rsync = { DEPLOY: 'rsync', SITE_URL: 'https://own.example', EDITION_PUBLIC_KEY: 'x' };
  assert.deepEqual(keys({ vars: rsync }), ['site', 'build', 'sign', 'deploy', 'notify']);
});

test('no workflow reads what GitHub leaves out of scheduled events', () => {
  for (const file of files) {
    assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /github\.event\.repository/, file);
  }
});
