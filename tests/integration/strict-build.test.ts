import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { contentIntegration } from '../../src/build/content-integration.ts';
import { readOptions } from '../../src/build/settings.ts';
import { UsageError } from '../../src/run-command.ts';
import { contentFolder } from '../support/content-folder.ts';
import { TEST_TIME } from '../support/edition.ts';
import { ROOT } from '../support/fixtures.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

/** Begins a strict build of a dataset. */
async function build(contentDir: string, env: Record<string, string> = {}): Promise<void> {
  const time = { SOURCE_DATE_EPOCH: TEST_TIME };
  const options = readOptions({ ...time, ...env }, { contentDir, strict: true });
  const setup = contentIntegration({ ...options, print: () => {} }).hooks['astro:config:setup']!;
  const config = { root: pathToFileURL(`${ROOT}/`) };
  const astro = { command: 'build', config, updateConfig: () => {}, injectRoute: () => {} };
  await setup(astro as never);
}

test('a strict build stops at what an ordinary one warns of, before anything is rendered', async (context) => {
  const contentDir = await contentFolder(context, {
    journal: null,
    'reviews/2026.jsonl': jsonl(
      ...Array.from({ length: 20 }, (_, at) =>
        record({ id: ulidOf(at), text: 'The price was unfair.', rating: 2 }),
      ),
    ),
    'faq/prices.md': `---
question: Are the prices fair?
evidence: { aspects: [pricing] }
claims: [{ aspect: pricing, side: positive, min_share: 100 }]
---
Everybody says so.
`,
  });
  await assert.rejects(build(contentDir), (error: Error) => {
    assert.ok(error instanceof UsageError);
    const [journal, ...others] = error.message.split('\n');
    assert.match(journal!, /^the journal is missing changes .*: run npm run reviews -- record$/);
    assert.equal(others.at(-1), 'faq/prices.md: claims 100% positive for pricing, counted 0%');
    return true;
  });
});

test('a strict build for GitHub Pages refuses a dataset with a sidecar', async (context) => {
  const business = { name: 'Fenwick Drains', category: 'drain cleaning' };
  const buildWith = async (env: Record<string, string>, more: object = {}) => {
    const changes = { 'business.json': JSON.stringify({ ...business, ...more }) };
    await build(await contentFolder(context, changes), env);
  };
  const own = { SITE_URL: 'https://reviews.example' };
  for (const env of [
    { SITE_URL: 'https://owner.github.io/reviews' },
    { ...own, DEPLOY: 'pages' },
    { ...own, GITHUB_PAGES: 'true' },
  ]) {
    const issue = /^Error: business\.json: sidecar: GitHub Pages serves files alone/;
    await assert.rejects(buildWith(env), issue);
    await buildWith(env, { sidecar: false });
  }
  await buildWith(own);
});
