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
import { Random } from '../support/random.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, section 4.5: what each filter matches. For parsing see search-parameters.

forEachTarget((target) => {
  test('rating matches the exact stars', async () => {
    for (const rating of ['1', '2', '3', '4', '5']) await assertMatches(target, { rating });
  });

  test('min_rating is inclusive and may be a fraction', async () => {
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

  test('query finds any piece of any text', async () => {
    const random = new Random(4);
    const texts = (await target.dataset()).reviews.flatMap(({ text }) => text ?? []);
    for (let round = 0; round < 30; round++) {
      const characters = [...random.pick(texts)];
      const start = random.below(characters.length);
      const query = characters.slice(start, start + 1 + random.below(12)).join('');
      assert.ok((await assertMatches(target, { query })).matched > 0, JSON.stringify(query));
    }
  });

  test('mentions_technician takes an id, a name or an alias, whatever its case', async () => {
    const { technicians } = (await target.manifest()).names;
    for (const { id, names } of technicians.slice(0, 3)) {
      for (const name of [id, ...names.slice(0, 3), names[0]!.toUpperCase()]) {
        await assertMatches(target, { mentions_technician: name });
      }
    }
  });

  test('mentions_service takes an id or a label, whatever its case', async () => {
    const { services } = (await target.manifest()).names;
    for (const { id, names } of services.slice(0, 3)) {
      for (const name of [id, id.toUpperCase(), ...names]) {
        await assertMatches(target, { mentions_service: name });
      }
    }
  });

  test('an unknown name matches nothing', async () => {
    for (const name of ['mentions_technician', 'mentions_service']) {
      const { matched } = await assertMatches(target, { [name]: 'no one of this name' });
      assert.equal(matched, 0);
    }
  });

  test('filters are combined by and', async () => {
    const random = new Random(8);
    const { reviews } = await target.dataset();
    const { names } = await target.manifest();
    const choices: (() => Parameters)[] = [
      () => ({ rating: String(1 + random.below(5)) }),
      () => ({ min_rating: String(1 + random.below(5)) }),
      () => ({ since: random.pick(reviews).date }),
      () => ({ until: random.pick(reviews).date }),
      () => ({ query: random.pick(['a', 'the', 'fix', 'on time', 'é']) }),
      () => ({ mentions_technician: random.pick(names.technicians).id }),
      () => ({ mentions_service: random.pick(names.services).id }),
    ];
    for (let round = 0; round < 30; round++) {
      const chosen = [random.pick(choices)(), random.pick(choices)(), random.pick(choices)()];
      await assertMatches(target, Object.assign({}, ...chosen) as Parameters);
    }
  });

  test('filters that contradict each other are valid and match nothing', async () => {
    for (const filters of [
      { since: '2026-02-01', until: '2026-01-01' },
      { rating: '2', min_rating: '4' },
    ]) {
      const result = await assertMatches(target, filters);
      assert.deepEqual([result.matched, result.reviews], [0, []]);
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
