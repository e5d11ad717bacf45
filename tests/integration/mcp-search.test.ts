import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { H3 } from 'h3';
import { MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { SEARCH_PATH } from '../../src/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { SearchResult } from '../../src/schema/search.ts';
import { queryString } from '../support/http.ts';
import { answerOf } from '../support/mcp.ts';
import { Random } from '../support/random.ts';
import { sampleApp } from '../support/targets.ts';

const SETS = 1000;

let app: H3;
before(async () => {
  app = await sampleApp();
});

test('search by tools/call equals search by GET for 1,000 random sets of filters', async () => {
  const json = async <T>(path: string) => (await (await app.request(path)).json()) as T;
  const { reviews } = await json<ReviewsDataset>('/reviews.json');
  const { names } = await json<Manifest>(`/${MANIFEST_FILE}`);
  const door = { fetch: (path: string, init?: RequestInit) => app.request(path, init) };
  const random = new Random(4);
  const texts = reviews.flatMap(({ text }) => (text === null ? [] : [text]));
  const namesOf = (entries: Manifest['names']['services']) =>
    entries.flatMap((entry) => [entry.id, ...entry.names]).concat('nobody');
  const FILTERS: Record<string, () => unknown> = {
    rating: () => 1 + random.below(5),
    min_rating: () => 1 + random.below(9) / 2,
    since: () => random.pick(reviews).date,
    until: () => random.pick(reviews).date,
    query: () => {
      const text = random.pick(texts);
      const start = random.below(text.length);
      return text.slice(start, start + 1 + random.below(12)).toWellFormed();
    },
    mentions_technician: () => random.pick(namesOf(names.technicians)),
    mentions_service: () => random.pick(namesOf(names.services)),
    limit: () => 1 + random.below(100),
  };
  let found = 0;
  for (let set = 0; set < SETS; set++) {
    const chosen = Object.entries(FILTERS).filter(() => random.next() < 0.3);
    const filters = Object.fromEntries(chosen.map(([name, make]) => [name, make()]));
    const parameters = Object.entries(filters).map(([name, value]) => [name, String(value)]);
    const path = `${SEARCH_PATH}?${queryString(Object.fromEntries(parameters))}`;
    const answer = await answerOf(door, 'search_reviews', filters);
    assert.deepEqual(answer, await json<SearchResult>(path), path);
    if (answer.matched > 0) found++;
  }
  assert.ok(found > SETS / 4 && found < SETS, `${found} sets match anything`);
});
