import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentFolder } from '../support/content-folder.ts';
import { buildEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

test('a strict build stops at what an ordinary one warns of, and publishes nothing', async (context) => {
  const contentDir = await contentFolder(context, {
    journal: null,
    'reviews/2026.jsonl': jsonl(
      ...[1, 2, 3, 4].map((at) =>
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
  const outDir = join(await temporaryFolder(context), 'dist');
  await assert.rejects(buildEdition(outDir, { CONTENT_DIR: contentDir }, ['--strict']), (error) => {
    const { stdout, stderr } = error as unknown as { stdout: string; stderr: string };
    assert.doesNotMatch(stderr, /^ +at /m);
    assert.match(
      stdout + stderr,
      /the journal is missing changes of the reviews \(.*\): run npm run reviews -- record/,
    );
    assert.match(stdout + stderr, /faq\/prices\.md: claims 100% positive for pricing, counted 0%/);
    return true;
  });
  await assert.rejects(access(outDir));
});
