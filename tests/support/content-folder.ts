import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ContentError, formatIssue } from '../../src/content/issue.ts';
import { readContent, type ReadOptions } from '../../src/content/read-content.ts';
import { ROOT, temporaryFolder } from './fixtures.ts';

/** A small content folder without an issue. */
export const VALID_CONTENT = join(ROOT, 'tests/fixtures/content');

/** Files to write over the valid folder, by path inside it; null removes what is there. */
export type Changes = Record<string, string | Uint8Array | null>;

type TestContext = Parameters<typeof temporaryFolder>[0];

/** A folder `content` like the valid one but for the changes; gone when the test is. */
export async function contentFolder(context: TestContext, changes: Changes): Promise<string> {
  const folder = join(await temporaryFolder(context), 'content');
  await writeContent(folder, changes);
  return folder;
}

/** Writes a folder, by default the valid one, with changes. */
export async function writeContent(
  folder: string,
  changes: Changes,
  from: string = VALID_CONTENT,
): Promise<void> {
  await cp(from, folder, { recursive: true });
  for (const [path, content] of Object.entries(changes)) {
    const file = join(folder, path);
    await rm(file, { recursive: true, force: true });
    if (content === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Returns the issues that reading the changed folder reports, one per line; none if it is accepted. */
export async function issuesOf(
  context: TestContext,
  changes: Changes,
  options?: ReadOptions,
): Promise<string[]> {
  const folder = await contentFolder(context, changes);
  try {
    await readContent(folder, options);
    return [];
  } catch (error) {
    if (error instanceof ContentError) return error.issues.map(formatIssue);
    throw error;
  }
}

/** Asserts that reading the changed folder reports these issues, as they begin, in any order; and no other. */
export async function assertIssues(
  context: TestContext,
  changes: Changes,
  issues: readonly string[],
): Promise<void> {
  const all = await issuesOf(context, changes);
  const found = all.map((issue) => issue.replace(/^content\//, '')).sort();
  assert.equal(found.length, issues.length, found.join('\n').slice(0, 2000));
  for (const [at, issue] of issues.toSorted().entries()) {
    assert.ok(found[at]!.startsWith(issue), found[at]);
    assert.ok(found[at]!.length < 200, 'shows no more than the beginning of a value');
  }
}
