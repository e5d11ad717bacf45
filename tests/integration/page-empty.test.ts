import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDataset } from '../support/edition.ts';
import { checkHonesty } from '../support/honesty.ts';
import { readPages, visibleText } from '../support/pages.ts';
import { ratingEdition } from '../support/rating-edition.ts';
import { htmlErrors } from '../support/validate-html.ts';

test('a single rating without words, of nothing that is looked for, reads as one', async () => {
  const { client } = await ratingEdition();
  const all = await readPages(client);
  assert.deepEqual(checkHonesty(all, (await readDataset(client)).reviews), []);
  // /developers/ shows JSON, in which null is valid.
  const forPeople = all.filter(({ path }) => !path.startsWith('/developers/'));
  for (const { html, path } of forPeople) assert.deepEqual(await htmlErrors(html), [], path);
  const pages = Object.fromEntries(forPeople.map(({ path, html }) => [path, visibleText(html)]));
  assert.match(pages['/']!, /5\.00 of 5, from all ?1 review /);
  assert.match(pages['/']!, /1 of 1 known reviews published\. It is from March 1, 2026 /);
  assert.doesNotMatch(
    pages['/']!,
    /praise|criticize|In short|critical reviews|in the reviews|over time/,
  );
  assert.match(pages['/insights/']!, /No review mentions an aspect, a person or a service/);
  assert.doesNotMatch(pages['/insights/']!, /Technicians|Services|Problems|Topics/);
  assert.match(pages['/reviews/2026-03/']!, /1 review, 5\.00 of 5 on average\./);
  assert.match(
    pages['/reviews/2026-03/']!,
    /Nadia Holt on Google, rating only, stated by the business to be of a customer/,
  );
  assert.doesNotMatch(pages['/reviews/2026-03/']!, /Older|Newer/);
  for (const text of Object.values(pages)) assert.doesNotMatch(text, /null|undefined|NaN|Infinity/);
});
