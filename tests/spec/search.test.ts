import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  searchFilters,
  searchResult,
  type SearchFilters,
  type SearchResult,
} from '../../src/schema/search.ts';
import { queryString } from '../support/http.ts';
import { naiveSearch } from '../support/naive-search.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, section 4.5: what each filter matches. For parsing see search-parameters.

forEachTarget((target) => {
  test('rating matches the exact stars; min_rating is inclusive and may be a fraction', async () => {
    for (const rating of ['1', '2', '3', '4', '5']) await assertMatches(target, { rating });
    for (const minimum of ['1', '4', '4.0', '4.5', '5']) {
      await assertMatches(target, { min_rating: minimum });
    }
  });

  test('since and until are inclusive', async () => {
    const { reviews } = await target.dataset();
    const { date } = reviews[reviews.length >> 1]!;
    for (const filters of [{ since: date }, { until: date }, { since: date, until: date }]) {
      await assertMatches(target, filters);
    }
    await assertMatches(target, { since: '1900-01-01', until: '2999-12-31' });
  });

  test('query is a substring of the text, whatever its case, and never of the title', async () => {
    const { reviews } = await target.dataset();
    const { text } = reviews.find((review) => (review.text?.length ?? 0) > 20)!;
    const part = text!.slice(5, 15);
    for (const query of [part, part.toUpperCase(), part.toLowerCase(), text!.slice(0, 200)]) {
      assert.ok((await assertMatches(target, { query })).matched > 0, query);
    }
    const title = reviews.find((review) => review.title !== null)?.title;
    if (title != null) await assertMatches(target, { query: title });
  });

  test('query is neither trimmed nor a pattern', async () => {
    for (const query of [' the ', ' ', '.', '.*', '%', '_', '\\', '[a-z]', "'", '"', '\n', '!!']) {
      await assertMatches(target, { query });
    }
  });

  test('mentions_technician and mentions_service take an id, a name or an alias in any case', async () => {
    const { technicians, services } = (await target.manifest()).names;
    const named = { mentions_technician: technicians, mentions_service: services };
    for (const [parameter, entries] of Object.entries(named)) {
      for (const { id, names } of entries.slice(0, 3)) {
        for (const name of [id, id.toUpperCase(), ...names.slice(0, 3), names[0]!.toUpperCase()]) {
          await assertMatches(target, { [parameter]: name });
        }
      }
      const { matched } = await assertMatches(target, { [parameter]: 'no one of this name' });
      assert.equal(matched, 0, 'an unknown name matches nothing');
    }
  });

  test('filters are combined by and', async () => {
    const { reviews } = await target.dataset();
    const { technicians, services } = (await target.manifest()).names;
    const { date } = reviews[reviews.length >> 1]!;
    for (const filters of [
      { min_rating: '4', until: date, query: 'the' },
      { rating: '5', mentions_technician: technicians[0]!.id, since: date },
      {
        query: 'on time',
        mentions_service: services[0]!.id,
        mentions_technician: technicians[1]!.id,
      },
    ]) {
      await assertMatches(target, filters);
    }
  });
});

type Parameters = Partial<Record<keyof SearchFilters, string>>;

/** Asserts that a search returns what filtering reviews.json by hand returns. */
async function assertMatches(target: Target, filters: Parameters): Promise<SearchResult> {
  const query = queryString({ ...filters, limit: '100' });
  const result = await target.json<SearchResult>(`/api/reviews/search?${query}`);
  searchResult.parse(result);
  const typed = searchFilters.parse({
    ...filters,
    limit: 100,
    ...(filters.rating !== undefined && { rating: Number(filters.rating) }),
    ...(filters.min_rating !== undefined && { min_rating: Number(filters.min_rating) }),
  });
  const { names } = await target.manifest();
  const { reviews } = await target.dataset();
  const expected = naiveSearch({ reviews, names }, typed);
  assert.equal(result.matched, expected.matched, query);
  assert.deepEqual(result.reviews, expected.reviews, query);
  return result;
}
