import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentFolder } from '../support/content-folder.ts';
import { buildEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { readPages, visibleText } from '../support/pages.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { htmlErrors } from '../support/validate-html.ts';

const TEXTS = [
  'The soup was delicious and Ilse was friendly.',
  'Great food. Ilse made us feel welcome.',
  'The fish was bland and overpriced.',
];

test('pages speak of the trade, and only of what its reviews have', async (context) => {
  const people = [{ id: 'ilse', name: 'Ilse' }];
  const contentDir = await contentFolder(context, {
    'business.json': JSON.stringify({ name: 'Bistro Ilse', category: 'restaurant' }),
    'faq/prices.md': null,
    'reviews/2026.jsonl': jsonl(
      ...TEXTS.map((text, index) =>
        record({ id: ulidOf(index + 1), text, rating: index < 2 ? 5 : 2 }),
      ),
    ),
    'summary.md': null,
    vocabulary: null,
    'vocabulary/trade.json': '{ "extends": "restaurant" }',
    'vocabulary/technicians.json': JSON.stringify(people),
  });
  const folder = await temporaryFolder(context);
  const { client } = await buildEdition(join(folder, 'dist'), { CONTENT_DIR: contentDir });
  const pages = await readPages(client);
  for (const { html, path } of pages) assert.deepEqual(await htmlErrors(html), [], path);
  const html = Object.fromEntries(pages.map(({ path, html }) => [path, html]));
  const text = (path: string) => visibleText(html[path]!);

  assert.match(html['/']!, /placeholder="pizza, waiter, price …"/);
  assert.match(text('/'), /Servers in the reviews Ilse 2 reviews/);
  assert.doesNotMatch(text('/'), /Answered|Not answered|Dishes in the reviews|echnician/);
  assert.match(text('/insights/'), /Servers Server Reviews/);
  assert.match(text('/technicians/ilse/'), /Servers are people/);
  assert.match(
    text('/faq/'),
    /Is the food good\? 3 reviews mention it: 2 favorably, 1 critically\./,
  );
  assert.doesNotMatch(text('/faq/'), /parking/);
  for (const page of pages) assert.match(page.html, /href="\/faq\/"/, page.path);

  const { child, exited, url } = await startSidecar({
    EDITION: client,
    DATA_DIR: join(folder, 'data'),
    SERVER_DIR: join(folder, 'dist/server'),
  });
  try {
    const search = await (await fetch(new URL('/search/', url))).text();
    assert.match(visibleText(search), /Server Ilse 2/);
    assert.match(search, /placeholder="pizza, waiter, price …"/);
    assert.match(search, /href="\/faq\/"/);
    const asked = await fetch(new URL('/search/?mentions_service=soup', url));
    assert.match(visibleText(await asked.text()), /Nothing here is called “soup”/);
  } finally {
    child.kill();
    await exited;
  }
});
