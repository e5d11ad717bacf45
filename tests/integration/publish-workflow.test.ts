import assert from 'node:assert/strict';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { VALID_CONTENT } from '../support/content-folder.ts';
import { readDataset, TEST_TIME } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { run } from '../support/run.ts';

const caller = z.object({
  on: z.object({ push: z.unknown(), workflow_dispatch: z.null() }),
  permissions: z.object({ contents: z.literal('read') }),
  jobs: z.object({
    publish: z.strictObject({
      uses: z.string(),
      with: z.record(z.string(), z.string()),
      secrets: z.literal('inherit'),
    }),
  }),
});
const called = z.object({
  on: z.object({
    workflow_call: z.object({ inputs: z.record(z.string(), z.object({ required: z.boolean() })) }),
  }),
  env: z.object({ CONTENT_DIR: z.string() }),
  jobs: z.object({
    build: z.object({
      steps: z.array(
        z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() }),
      ),
    }),
  }),
});

async function workflow(): Promise<z.infer<typeof called>> {
  return called.parse(parse(await readFile(join(ROOT, '.github/workflows/publish.yml'), 'utf8')));
}

test('the caller that content/README.md shows passes what the workflow takes', async () => {
  const text = await readFile(join(ROOT, 'content/README.md'), 'utf8');
  const { jobs } = caller.parse(parse(/```yaml\n([\s\S]*?)```/.exec(text)![1]!));
  const { uses, with: inputs } = jobs.publish;
  assert.equal(
    uses,
    `${inputs.program}/.github/workflows/publish.yml@${inputs.version}`,
    'the workflow and the program are of one version',
  );
  const { on } = await workflow();
  assert.deepEqual(Object.keys(inputs).sort(), Object.keys(on.workflow_call.inputs).sort());
});

test('its steps build and check a dataset that lies beside the program, without its tests', async (context) => {
  const { env, jobs } = await workflow();
  assert.equal(env.CONTENT_DIR, "${{ inputs.program && 'dataset' || 'content' }}");
  const folder = join(await temporaryFolder(context), 'program');
  const own = (path: string) => !/^(node_modules|dist|\.git|\.astro|content)(\/|$)/.test(path);
  await cp(ROOT, folder, {
    recursive: true,
    filter: (path) => own(path.slice(ROOT.length + 1)),
  });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await cp(VALID_CONTENT, join(folder, 'dataset'), { recursive: true });

  const commands = jobs.build.steps.filter((step) => step.run !== undefined);
  assert.ok(commands.every((step) => !/npm (run )?(test|check)/.test(step.run!)));
  let output = '';
  for (const step of commands) {
    if (step.run === 'npm ci' || step.run!.includes('$SITE_URL')) continue;
    const { stdout } = await run('bash', ['-ec', `cd "${folder}" && ${step.run!}`], {
      CONTENT_DIR: 'dataset',
      SITE_URL: 'https://reviews.example',
      SOURCE_DATE_EPOCH: TEST_TIME,
      ...step.env,
    });
    output += stdout;
  }
  assert.match(output, /every review was read again/);
  const dataset = await readDataset(join(folder, 'dist/client'));
  assert.ok(dataset.reviews.length > 0);
});
