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
  const options = readOptions({ SOURCE_DATE_EPOCH: TEST_TIME }, { contentDir, strict: true });
  const setup = contentIntegration(options).hooks['astro:config:setup']!;
  const config = { root: pathToFileURL(`${ROOT}/`) };
  await assert.rejects(
    async () => setup({ command: 'build', config } as never),
    (error: Error) => {
      assert.ok(error instanceof UsageError);
      assert.match(
        error.message,
        /^the journal is missing changes of the reviews \(.*\): run npm run reviews -- record\n/,
      );
      assert.match(
        error.message,
        /\nfaq\/prices\.md: claims 100% positive for pricing, counted 0%$/,
      );
      return true;
    },
  );
});

test('a strict build for GitHub Pages refuses a dataset with a sidecar', async (context) => {
  const business = { name: 'Fenwick Drains', category: 'drain cleaning' };
  const build = async (env: Record<string, string>, more: object = {}) => {
    const contentDir = await contentFolder(context, {
      'business.json': JSON.stringify({ ...business, ...more }),
    });
    const options = readOptions(
      { SOURCE_DATE_EPOCH: TEST_TIME, ...env },
      { contentDir, strict: true },
    );
    const setup = contentIntegration({ ...options, print: () => {} }).hooks['astro:config:setup']!;
    const config = { root: pathToFileURL(`${ROOT}/`) };
    const hooks = { command: 'build', config, updateConfig: () => {}, injectRoute: () => {} };
    await setup(hooks as never);
  };
  const own = { SITE_URL: 'https://reviews.example' };
  for (const env of [
    { SITE_URL: 'https://owner.github.io/reviews' },
    { ...own, DEPLOY: 'pages' },
    { ...own, GITHUB_PAGES: 'true' },
  ]) {
    await assert.rejects(
      build(env),
      /^Error: business\.json: sidecar: GitHub Pages serves files alone/,
    );
    await build(env, { sidecar: false });
  }
  await build(own);
});
