import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bistroEdition } from '../support/bistro-edition.ts';
import { readDataset } from '../support/edition.ts';
import { checkHonesty } from '../support/honesty.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { readPages, visibleText } from '../support/pages.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { htmlErrors } from '../support/validate-html.ts';

test('pages speak of the trade, and only of what its reviews have', async (context) => {
  const { client } = await bistroEdition();
  const pages = await readPages(client);
  for (const { html, path } of pages) assert.deepEqual(await htmlErrors(html), [], path);
  assert.deepEqual(checkHonesty(pages, (await readDataset(client)).reviews), []);
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
    DATA_DIR: await temporaryFolder(context),
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
