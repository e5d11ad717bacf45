import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { keySet, verifyEdition } from '../../src/edition/signature.ts';
import { filesOf, readDataset, TEST_TIME } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { emptyDataset } from '../support/import.ts';
import { Origin } from '../support/origin.ts';
import { programs, RSYNC_SERVER } from '../support/programs.ts';
import { pagesArtifact } from '../support/workflow-run.ts';
import { copyProgram, readCaller, readWorkflow, runSteps } from '../support/workflow.ts';

for (const name of ['publish', 'sync']) {
  test(`the caller of ${name}.yml that a document shows passes what it takes`, () => {
    const { jobs, permissions } = readCaller(`${name}.yml`);
    const { uses, with: inputs, secrets } = jobs[name]!;
    const ofThatVersion = `${inputs.program}/.github/workflows/${name}.yml@${inputs.version}`;
    assert.equal(uses, ofThatVersion, 'the workflow and the program are of one version');
    const workflow = readWorkflow(`${name}.yml`);
    const taken = Object.entries(workflow.on.workflow_call.inputs);
    const required = taken.filter(([, input]) => input.required).map(([input]) => input);
    for (const input of required) assert.ok(input in inputs, input);
    for (const input of Object.keys(inputs)) assert.ok(input in workflow.on.workflow_call.inputs);
    const asked = [workflow, ...Object.values(workflow.jobs)].map((each) => each.permissions ?? {});
    assert.deepEqual(permissions, Object.assign({}, ...asked), 'as much as its jobs ask for');
    const named = Object.keys(workflow.on.workflow_call.secrets);
    const passed = named.map((secret) => [secret, `\${{ secrets.${secret} }}`]);
    assert.deepEqual(secrets, Object.fromEntries(passed));
    const folder = "inputs.program && format('dataset/{0}', inputs.folder) || 'content'";
    assert.equal(workflow.env.CONTENT_DIR, `\${{ ${folder} }}`);
  });
}

test('publish.yml builds, checks, signs and deploys an imported dataset beside the program, without its tests', async (context) => {
  const workflow = readWorkflow('publish.yml');
  const folder = await copyProgram(context);
  const dataset = await emptyDataset(context);
  await dataset.run(['takeout-reviews.json', 'trustpilot-business.csv']);
  await cp(dataset.folder, join(folder, 'dataset'), { recursive: true });
  for (const { run = '' } of workflow.jobs.build!.steps) {
    assert.doesNotMatch(run, /npm (run )?(test|check$)/);
  }
  const base = await temporaryFolder(context);
  const deployed = join(base, 'current');
  const origin = await Origin.start(context, deployed);
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = createPublicKey(privateKey);
  const env = {
    CONTENT_DIR: 'dataset',
    EDITION_PUBLIC_KEY: publicKey.export({ format: 'jwk' }).x!,
    SITE_URL: origin.url,
    SOURCE_DATE_EPOCH: TEST_TIME,
  };
  const output = await runSteps(workflow.jobs.build!.steps, folder, env);
  assert.match(output, /every review was read again/);
  assert.match(output, /nothing of ours is deployed at http:\S+ yet/);
  const { reviews } = await readDataset(join(folder, 'dist/client'));
  assert.equal(reviews.length, (await dataset.records()).length);

  // Pages would serve every file of it.
  for (const file of ['.github/workflows/publish.yml', 'src/owner/repository/publish.yml']) {
    const served = await temporaryFolder(context);
    pagesArtifact(file, folder, served);
    const all = await filesOf(join(folder, 'dist/client'));
    assert.deepEqual([...(await filesOf(served)).keys()], [...all.keys()], file);
  }

  // The steps of the deployment that run here: sign, where no package is installed, then rsync to
  // a server that is a folder.
  const path = await programs(context, RSYNC_SERVER);
  const packages = join(folder, 'node_modules');
  const publish = async () => {
    await rename(packages, `${packages}.away`);
    await runStepWith('main.ts sign', 'sign', {
      ...env,
      SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      EDITION_ROLLBACK: '',
      PREVIOUS_EDITION: origin.url,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    });
    await runStepWith('rsync.sh', 'deploy', {
      ...env,
      ...path,
      RSYNC_TARGET: 'user@server',
      RSYNC_BASE: base,
    });
    await rename(`${packages}.away`, packages);
    const read = (name: string) => readFile(join(deployed, name));
    const signature = await read('edition-signature.json');
    return verifyEdition(signature, await read('edition.json'), [publicKey]);
  };
  const first = await publish();
  const next = await publish();
  assert.deepEqual([first.previous, first.rollback], [null, null]);
  assert.equal(next.previous, first.edition, 'as the site says');
  assert.ok(next.sequence > first.sequence);
  const keys = await readFile(join(deployed, '.well-known/reviews-edition-key.json'), 'utf8');
  assert.deepEqual(JSON.parse(keys), keySet([publicKey]));

  // The step that continues the journal of the site fails if it does not fit.
  const other = { seq: 1, hash: '0'.repeat(64) };
  await writeFile(join(deployed, 'journal.json'), JSON.stringify(other));
  await assert.rejects(runStepWith('--continues', 'build', env), /history was rewritten/);

  /** Runs the step of a job whose commands have a word. */
  function runStepWith(word: string, job: string, env: Record<string, string>) {
    const steps = workflow.jobs[job]!.steps.filter(({ run = '' }) => run.includes(word));
    assert.equal(steps.length, 1);
    return runSteps(steps, folder, env);
  }
});
