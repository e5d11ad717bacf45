import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { naiveSearch } from '../support/naive-search.ts';
import { SlimEdition } from '../support/slim-edition.ts';
import { Variants } from '../soak/variants.ts';

test('an answer of two editions, out of order, cut or miscounted is found out', async (context) => {
  const { names } = await SlimEdition.create(await temporaryFolder(context));
  const variants = new Variants(await readDataset(await sampleEdition()), names);
  const [one, other] = [0, 1].map(
    (version) => (JSON.parse(variants.document(version)) as ReviewsDataset).reviews,
  );
  const filters = { rating: 5, limit: 10 };
  const { matched, reviews } = naiveSearch({ reviews: one!, names: names }, filters);
  assert.ok(variants.isSearchAnswer(filters, { matched, reviews }));
  const wrong = {
    mixed: [
      ...reviews.slice(0, 9),
      naiveSearch({ reviews: other!, names: names }, filters).reviews[9]!,
    ],
    turned: reviews.toReversed(),
    cut: reviews.slice(0, 9),
  };
  for (const [what, reviews] of Object.entries(wrong)) {
    assert.ok(!variants.isSearchAnswer(filters, { matched, reviews }), what);
  }
  assert.ok(!variants.isSearchAnswer(filters, { matched: matched + 1, reviews }));

  const page = (count: number, shown: typeof reviews): string => {
    const cards = shown.map(({ author, text }) => `<article>${author}: ${text}</article>`);
    return `<h2 id="results-title">${count} reviews</h2>${cards.join('')}`;
  };
  assert.ok(variants.isSearchPage(filters, page(matched, reviews)));
  assert.ok(!variants.isSearchPage(filters, page(matched + 1, reviews)));
  for (const [what, reviews] of Object.entries(wrong)) {
    assert.ok(!variants.isSearchPage(filters, page(matched, reviews)), `a page that is ${what}`);
  }

  const { date } = one![20]!;
  const listed = one!.filter((review) => review.date >= date);
  assert.ok(variants.isListingSince(date, { reviews: listed }));
  assert.ok(!variants.isListingSince(date, { reviews: listed.slice(1) }));
  assert.ok(!variants.isListingSince(date, { reviews: [...listed.slice(0, -1), other![0]!] }));
  assert.ok(variants.isDocument(variants.document(3)));
  assert.ok(!variants.isDocument(variants.document(0).replace('(edition 0)', '(edition 1)')));
});
