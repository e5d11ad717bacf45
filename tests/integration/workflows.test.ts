import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parseDocument } from 'yaml';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { jobsFor, type GitHubEvent } from '../support/workflow-run.ts';
import { jobsOf, type Step } from '../support/workflow.ts';

/** Those of the program, and those of a dataset in a repository of its own. */
const files = globSync(['.github/workflows/*.yml', 'src/owner/repository/*.yml'], { cwd: ROOT });
const PUBLISH = '.github/workflows/publish.yml';
const SYNC = '.github/workflows/sync.yml';
const TEMPLATE = 'src/owner/repository/publish.yml';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const stepsOf = (file: string): Step[] => Object.values(jobsOf(file)).flatMap((job) => job.steps);
const commandsOf = (steps: readonly Step[]) => steps.flatMap(({ run }) => run ?? []);
const namesOf = (paths: readonly string[]) =>
  [...new Set(paths.map((path) => basename(path)))].sort();

const { scripts, devDependencies } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  devDependencies: { node: string };
};

test('workflows that commit or release are the only ones that may write', () => {
  assert.deepEqual(namesOf(files), ['ci.yml', 'publish.yml', 'release.yml', 'sync.yml']);
  const writing = files.filter((file) => read(file).includes('contents: write'));
  assert.deepEqual(namesOf(writing), ['release.yml', 'sync.yml']);
});

test('publish.yml starts with a change of the dataset, each week, and for new code by tag or by hand', () => {
  const { on } = parseDocument(read(PUBLISH)).toJS() as { on: Record<string, unknown> };
  const { push, ...others } = on;
  assert.deepEqual(push, { branches: ['main'], paths: ['content/**'], tags: ['v*'] });
  assert.deepEqual(Object.keys(others), ['schedule', 'workflow_dispatch', 'workflow_call']);
});

for (const file of files) {
  const text = read(file);
  const scriptsOf = () => commandsOf(stepsOf(file));

  test(`${file} is valid YAML of jobs that exist, which may only read unless they say so`, () => {
    const document = parseDocument(text, { uniqueKeys: true });
    assert.deepEqual([...document.errors, ...document.warnings], []);
    const jobs = jobsOf(file);
    for (const { needs } of Object.values(jobs)) {
      for (const name of needs) assert.ok(name in jobs, name);
    }
  });

  test(`${file} pins every action to a commit, with its version beside`, () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, what]) => what!);
    assert.ok(used.length > 0);
    for (const what of used) assert.match(what, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test(`${file} runs scripts and files that exist, in valid shell`, () => {
    const runs = scriptsOf();
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
    assert.ok(scriptsOf().length > 0);
    for (const script of scriptsOf()) assert.doesNotMatch(script, /\$\{\{/);
  });

  test(`${file} leaves no token in the checkout`, () => {
    const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    assert.ok(checkouts.length > 0);
    for (const step of checkouts) assert.equal(step.with?.['persist-credentials'], 'false');
  });
}

test('tools that deploy have an exact version, and no package that is younger', () => {
  const tools = [...read(PUBLISH).matchAll(/\bnpx .*?([\w-]+)@(\S+) deploy\b/g)];
  const names = tools.map(([, tool]) => tool);
  assert.deepEqual(names, ['wrangler', 'netlify-cli']);
  for (const [command, tool] of tools) {
    const form = new RegExp(
      String.raw`^npx --yes --ignore-scripts --before=20\d\d-\d\d-\d\d ${tool}@\d+\.\d+\.\d+ deploy$`,
    );
    assert.match(command, form);
  }
});

test('no other package is run but those of the lock file', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const named: string[] = [];
  for (const { run = '' } of files.flatMap((file) => stepsOf(file))) {
    assert.doesNotMatch(run, /\bnpm (install|i|add)\b/, 'npm ci follows the lock file');
    for (const [, name] of run.matchAll(/\bnpx (?!--yes)(.+)/g)) {
      // The program, which a dataset's own lock file has; without it npx would ask the registry.
      const isProgram = name!.startsWith('--no reviews-service ');
      assert.ok(isProgram || packages[`node_modules/${name!.split(' ')[0]}`]?.integrity, name);
      named.push(name!);
    }
  }
  assert.ok(named.length > 0);
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

const deploying = Object.entries(jobsOf(PUBLISH));
const syncing = Object.entries(jobsOf(SYNC));
const secretsOf = ({ env = {} }: Step): string[] =>
  Object.values(env).flatMap((value) => /secrets\.(\w+)/.exec(value)?.[1] ?? []);

test('a job with a secret installs packages without their scripts', () => {
  const runs = [...deploying, ...syncing].flatMap(([, { steps }]) => steps.map(({ run }) => run));
  const installs = runs.filter((run = '') => INSTALLS.test(run));
  assert.ok(installs.length > 0);
  for (const run of installs) assert.match(run!, /--ignore-scripts\b/);
});

test('the key that signs is in a job that installs nothing', () => {
  const signing = deploying.filter(([, { steps }]) =>
    steps.some((step) => secretsOf(step).includes('SIGNING_KEY')),
  );
  assert.deepEqual(
    signing.map(([name, { environment, steps }]) => [name, environment, commandsOf(steps)]),
    [['sign', 'production', ['node src/owner/main.ts sign dist/client']]],
  );
});

test('secrets are given to the one step that needs them, and only the environment has those of a deployment', () => {
  for (const [name, { steps, environment }] of deploying) {
    for (const step of steps) {
      if (secretsOf(step).length === 0) continue;
      assert.equal(environment, 'production', name);
      if (name !== 'sign') assert.match(step.if ?? '', /^vars\.DEPLOY == '\w+'$/);
    }
  }
  const reading = syncing.flatMap(([, { steps }]) => steps.filter((each) => secretsOf(each)[0]));
  const stepNames = reading.map(({ name }) => name);
  assert.deepEqual(stepNames, ['read the reviews']);
});

test('a job that may write, and a step that has a token, runs no program and no package', () => {
  const writing = [...syncing, ...deploying].filter(([, { permissions }]) => permissions);
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
  const having = deploying.filter(([name, { steps }]) => name !== 'sign' && has(steps, 'edition'));
  assert.deepEqual(having.map(([name]) => name).sort(), ['deploy', 'notify', 'pages']);
  for (const [name, { steps, needs, if: condition }] of having) {
    assert.equal(has(steps, 'signature')?.if, "vars.EDITION_PUBLIC_KEY != ''", name);
    const waits = needs.includes('sign');
    assert.ok(
      waits ? condition?.includes("needs.sign.result == 'success'") : needs.includes('deploy'),
    );
  }
});

test('after a deployment the hub is pinged, and last of all the live site is asked', () => {
  const { notify, build } = jobsOf(PUBLISH);
  assert.deepEqual(notify!.needs, ['site', 'deploy', 'pages']);
  assert.deepEqual(commandsOf(notify!.steps).slice(-2), [
    'npm run reviews -- ping dist/client',
    'npm run reviews -- doctor --edition dist/client "$SITE_URL"',
  ]);
  assert.ok(commandsOf(build!.steps).includes('npm run build -- --strict --no-ping'));
  const { doctor } = jobsOf(TEMPLATE);
  assert.equal(
    doctor!.steps.at(-1)!.run,
    'npx --no reviews-service doctor --edition . "$SITE_URL"',
  );
});

const PROJECT = { pagesUrl: 'https://owner.github.io/reviews', defaultBranch: 'trunk' };

test('a repository of its own publishes its default branch, whatever its name and event, where Pages says', () => {
  // What starts a scheduled run, or one by hand, has the default branch as its ref, too.
  const ref = 'refs/heads/trunk';
  for (const pagesUrl of [PROJECT.pagesUrl, 'https://owner.github.io', 'https://a.example.com']) {
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
    assert.doesNotMatch(read(file), /github\.event\.repository/, file);
  }
});
