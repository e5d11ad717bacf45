import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { editionTime } from '../../src/build/edition-time.ts';
import { temporaryFolder } from '../support/fixtures.ts';

const COMMITTED = 1_700_000_000;
const CHANGED = 1_750_000_000;

/** Creates a project with one content file and one source file, last changed at `CHANGED`. */
async function project(context: TestContext): Promise<{ root: string; contentDir: string }> {
  const root = `${await temporaryFolder(context)}/`;
  const contentDir = join(root, 'content');
  for (const [folder, time] of Object.entries({ 'content/reviews': CHANGED, src: CHANGED - 100 })) {
    const file = join(root, folder, 'file');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'one');
    for (const each of [file, dirname(file), join(root, folder.split('/')[0]!)]) {
      await utimes(each, time, time);
    }
  }
  return { root, contentDir };
}

function commit(root: string, time = COMMITTED): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      env: { ...process.env, GIT_COMMITTER_DATE: `${time} +0000` },
      stdio: 'pipe',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'All');
}

test('takes SOURCE_DATE_EPOCH before anything else', async (context) => {
  const { root, contentDir } = await project(context);
  commit(root);
  const time = await editionTime(root, contentDir, { SOURCE_DATE_EPOCH: '1767225600' });
  assert.equal(time, 1767225600);
});

for (const value of ['now', '-1', '1.5', '0x10', ' 1', '1e9', '9'.repeat(12)]) {
  test(`refuses a SOURCE_DATE_EPOCH of ${JSON.stringify(value)}, naming it`, async () => {
    const reading = editionTime('/', '/', { SOURCE_DATE_EPOCH: value });
    await assert.rejects(reading, /^Error: SOURCE_DATE_EPOCH: /);
  });
}

test('takes the time of the last commit when nothing was changed since', async (context) => {
  const { root, contentDir } = await project(context);
  commit(root);
  assert.equal(await editionTime(root, contentDir, {}), COMMITTED);
  assert.equal(await editionTime(root, contentDir, { SOURCE_DATE_EPOCH: '' }), COMMITTED);
});

for (const path of [
  'content/reviews/file',
  'public/robots.txt',
  'astro.config.mjs',
  'package-lock.json',
]) {
  test(`moves when ${path} changes, committed or not`, async (context) => {
    const { root, contentDir } = await project(context);
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'one');
    commit(root);
    await writeFile(file, 'two');
    await utimes(file, CHANGED + 5, CHANGED + 5);
    await utimes(dirname(file), CHANGED, CHANGED);
    assert.equal(await editionTime(root, contentDir, {}), CHANGED + 5);
    await rm(join(root, '.git'), { recursive: true });
    assert.equal(await editionTime(root, contentDir, {}), CHANGED + 5);
  });
}

test('moves when content changes that the repository ignores', async (context) => {
  const { root, contentDir } = await project(context);
  await writeFile(join(root, '.gitignore'), 'content/\n');
  commit(root);
  assert.equal(await editionTime(root, contentDir, {}), CHANGED);
});

test('does not move with what no edition is made of', async (context) => {
  const { root, contentDir } = await project(context);
  commit(root);
  await writeFile(join(root, 'README.md'), 'Not committed.');
  assert.equal(await editionTime(root, contentDir, {}), COMMITTED);
});

test('does not let commits speak for content that lies elsewhere', async (context) => {
  const { root } = await project(context);
  commit(root);
  const { contentDir } = await project(context);
  assert.equal(await editionTime(root, contentDir, {}), CHANGED);
});

test('takes the later commit when the content has a repository of its own', async (context) => {
  for (const time of [COMMITTED + 60, COMMITTED - 60]) {
    const { root, contentDir } = await project(context);
    commit(contentDir, time);
    await writeFile(join(root, '.gitignore'), 'content/\n');
    commit(root);
    assert.equal(await editionTime(root, contentDir, {}), Math.max(time, COMMITTED));
  }
});

test('moves when a file of the content is removed', async (context) => {
  const { root, contentDir } = await project(context);
  const file = join(contentDir, 'summary.md');
  await writeFile(file, 'A summary.');
  await utimes(file, CHANGED - 50, CHANGED - 50);
  await utimes(contentDir, CHANGED, CHANGED);
  await rm(file);
  assert.ok((await editionTime(root, contentDir, {})) > CHANGED);
});
