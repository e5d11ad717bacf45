import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../support/fixtures.ts';

const expression = z.string().regex(/^[^{]*(\$\{\{ [^{}]+ \}\}[^{]*)*$/, 'must be whole ${{ … }}');
const env = z.record(z.string().regex(/^[A-Z_0-9]+$/), expression);
const step = z
  .strictObject({
    name: z.string(),
    if: z.string(),
    uses: z.string(),
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    run: z.string(),
    shell: z.string(),
    env,
  })
  .partial()
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined), 'either uses or run');
const job = z.strictObject({
  'runs-on': z.string(),
  'timeout-minutes': z.int(),
  needs: z.string().optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  steps: z.array(step).min(1),
});
/** The parts of GitHub's workflow syntax in use; anything else is a typo. */
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(
    z.enum(['push', 'pull_request', 'schedule', 'workflow_dispatch', 'workflow_call']),
    z.unknown(),
  ),
  permissions: z.union([
    z.strictObject({ contents: z.literal('read') }),
    // To commit to the dataset and to start the workflow that publishes it.
    z.strictObject({ contents: z.literal('write'), actions: z.literal('write') }),
  ]),
  concurrency: z.strictObject({ group: expression, 'cancel-in-progress': z.boolean() }),
  env: env.optional(),
  jobs: z.record(z.string(), job),
});

const files = globSync('.github/workflows/*.yml', { cwd: ROOT });
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test('there are workflows for changes, publishing and syncing, and only the last may write', () => {
  assert.deepEqual(files.map((file) => basename(file)).sort(), [
    'ci.yml',
    'publish.yml',
    'sync.yml',
  ]);
  const writing = files.filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes(': write'),
  );
  assert.deepEqual(
    writing.map((file) => basename(file)),
    ['sync.yml'],
  );
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
  const steps = () => Object.values(parsed().jobs).flatMap((each) => each.steps);

  test(`${file} is YAML without a fault, with the keys that GitHub knows`, () => {
    assert.deepEqual([...document.errors, ...document.warnings], []);
    parsed();
  });

  test(`${file} needs jobs that exist`, () => {
    const { jobs } = parsed();
    for (const { needs } of Object.values(jobs)) if (needs) assert.ok(needs in jobs, needs);
  });

  test(`${file} pins every action to a commit, with its version beside`, () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, what]) => what!);
    assert.ok(used.length > 0);
    for (const what of used) assert.match(what, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test(`${file} runs scripts and files that exist, in shell without a fault`, () => {
    for (const { run } of steps()) {
      if (run === undefined) continue;
      for (const [, name] of run.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) {
        assert.ok(name && name in scripts, name);
      }
      for (const [path] of run.matchAll(/\bsidecar\/[\w./-]+/g)) {
        assert.ok(existsSync(join(ROOT, path)), path);
      }
      execFileSync('bash', ['-n', '-c', run]);
    }
  });

  test(`${file} gives a shell nothing that a stranger may write but through env`, () => {
    for (const { run } of steps()) if (run !== undefined) assert.doesNotMatch(run, /\$\{\{/);
  });

  test(`${file} leaves no token in the checkout`, () => {
    for (const { uses, with: options } of steps()) {
      if (!uses?.startsWith('actions/checkout@')) continue;
      assert.equal(options?.['persist-credentials'], false);
    }
  });
}

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; inBundle?: true }>;
}

function readLock(folder: string): Lock {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')) as Lock;
}

test('tools that deploy come from a lock file, installed without their scripts and secrets', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/publish.yml'), 'utf8');
  const tools = [...text.matchAll(/npm exec --no --prefix (\S+) --\s+(\S+)/g)];
  assert.deepEqual(
    tools.map(([, , tool]) => tool),
    ['wrangler', 'netlify'],
  );
  assert.match(text, /npm ci --ignore-scripts --prefix "sidecar\/deploy\/\$DEPLOY"\n/);
  for (const [, folder] of tools) {
    const stated = readFileSync(join(ROOT, folder!, 'package.json'), 'utf8');
    const { dependencies } = JSON.parse(stated) as { dependencies: Record<string, string> };
    const { '': _, ...packages } = readLock(folder!).packages;
    for (const [name, version] of Object.entries(dependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/);
      assert.equal(packages[`node_modules/${name}`]?.version, version);
    }
    for (const [path, { integrity, inBundle }] of Object.entries(packages)) {
      assert.ok(integrity ?? inBundle, `${folder}: ${path}`);
    }
  }
});

test('no workflow runs a package that its lock file does not have', () => {
  const { packages } = readLock('.');
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, name] of text.matchAll(/\bnpx (?:-\S+ )*(\S+)/g)) {
      assert.ok(packages[`node_modules/${name}`]?.integrity, `${file}: ${name}`);
    }
  }
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

test('secrets are given to the one step that needs them', () => {
  const { jobs } = workflow.parse(
    parseDocument(readFileSync(join(ROOT, '.github/workflows/publish.yml'), 'utf8')).toJS(),
  );
  for (const [name, { steps, environment }] of Object.entries(jobs)) {
    for (const { env = {}, if: condition } of steps) {
      if (!Object.values(env).some((value) => value.includes('secrets.'))) continue;
      assert.equal(environment, 'production', name);
      assert.match(condition ?? '', /^vars\.DEPLOY (== '|!= '' && vars\.EDITION_PUBLIC_KEY)/);
    }
  }
});

test('the hub is told last, and only of what was deployed', () => {
  const { jobs } = workflow.parse(
    parseDocument(readFileSync(join(ROOT, '.github/workflows/publish.yml'), 'utf8')).toJS(),
  );
  assert.equal(jobs.deploy!.steps.at(-1)!.run, 'npm run ping');
  const build = jobs.build!.steps.find(({ run }) => run === 'npm run build -- --strict');
  assert.match(build!.env!.HUB_URL!, /127\.0\.0\.1:9/);
});
