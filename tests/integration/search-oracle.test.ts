import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetMetadata, reviewLines, serializeByLine } from '../../src/dataset/document.ts';
import { newestFirst } from '../../src/dataset/publish.ts';
import { SORTS, type SearchFilters } from '../../src/schema/search.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { readPublished, sampleEdition } from '../support/edition.ts';
import { byValues, naiveCount } from '../support/naive-count.ts';
import { naiveSearch, type Published } from '../support/naive-search.ts';
import { Questions } from '../support/questions.ts';
import { Random } from '../support/random.ts';
import { openSampleFolder } from '../support/targets.ts';

/** Enough for each parameter many times; `QUESTIONS=2000` asks more. */
const QUESTIONS = Number(process.env.QUESTIONS ?? 250);

const published: Published = await readPublished(await sampleEdition());
const { reviews, names } = published;
const { search: index, lines } = await openSampleFolder();

const idAt = (position: number) => published.reviews[position]!.id;

test(`answers ${QUESTIONS} random searches of the sample as a plain filter does`, () => {
  const questions = new Questions(new Random(20260514), published);
  let withMatches = 0;
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const filters = questions.search();
    const expected = naiveSearch(published, filters);
    const { matched, positions, next } = index.search(filters);
    const found = positions.map(idAt);
    const ids = expected.reviews.map(({ id }) => id);
    assert.deepEqual({ matched, found }, { matched: expected.matched, found: ids }, show(filters));
    assert.equal(next !== undefined, matched > found.length, show(filters));
    if (matched > 0) withMatches++;
  }
  assert.ok(withMatches > QUESTIONS / 4, `only ${withMatches} searches found anything`);
});

test('pages lead through all matches once, in every order', () => {
  const questions = new Questions(new Random(4), published);
  for (let asked = 0; asked < 100; asked++) checkPages(index, published, questions.search());
});

test('pages lead through all matches once where many reviews are of one day', () => {
  const busy = reviews
    .map((review) => ({ ...review, date: `${review.date.slice(0, 4)}-06-15` }))
    .toSorted(newestFirst);
  const text = serializeByLine(
    datasetMetadata(lines),
    busy.map((review) => JSON.stringify(review)),
  );
  const ofBusy = new SearchIndex(reviewLines(Buffer.from(text)), names);
  for (const sort of SORTS) {
    for (const limit of [1, 7]) checkPages(ofBusy, { reviews: busy, names }, { sort, limit });
  }
});

/** Checks that a search finds the same page by page as a plain filter does at once. */
function checkPages(of: SearchIndex, all: Published, filters: SearchFilters): void {
  const expected = naiveSearch(all, { ...filters, limit: Infinity });
  const found: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { positions, next } = of.search({ ...filters, ...(cursor && { cursor }) });
    found.push(...positions.map((position) => all.reviews[position]!.id));
    cursor = next;
  }
  assert.deepEqual(
    found,
    expected.reviews.map(({ id }) => id),
    show(filters),
  );
}

test(`counts the groups of ${QUESTIONS} random questions as a plain count does`, () => {
  const questions = new Questions(new Random(7), published);
  let withGroups = 0;
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const filters = questions.count();
    const { total, groups, omitted } = index.count(filters);
    const own = groups.map(({ group: { key, ...numbers } }) => ({
      values: filters.group_by ? [key].flat() : [],
      ...numbers,
    }));
    assert.deepEqual(
      { total, groups: own.sort(byValues) },
      naiveCount(published, filters),
      show(filters),
    );
    assert.equal(omitted, 0);
    if (groups.length > 1) withGroups++;
  }
  assert.ok(withGroups > QUESTIONS / 10, `only ${withGroups} counts had several groups`);
});

test('facets are the counts of their groups', () => {
  const questions = new Questions(new Random(9), published);
  for (let asked = 0; asked < 300; asked++) {
    const { group_by: facets = ['rating'], examples: _, ...filters } = questions.count();
    const found = index.search({ ...filters, facets, limit: 1 }).facets!;
    for (const name of facets) {
      const { groups } = index.count({ ...filters, group_by: [name], examples: 0 });
      assert.deepEqual(
        found[name],
        groups.map(({ group: { key, n } }) => ({ value: key, count: n })),
        show(filters),
      );
    }
  }
});

test('never gives the same search another answer, whatever was asked in between', () => {
  const filters: SearchFilters = { query: 'the ', rating: 5, limit: 100 };
  const first = index.search(filters);
  for (const query of ['the', 'the ', ' t', 'e t', 'a']) {
    index.search({ query, rating: 1, limit: 1 });
    index.search({ query, since: '2030-01-01', limit: 1 });
  }
  assert.deepEqual(index.search(filters), first);
});

function show(filters: object): string {
  return `differs for ${JSON.stringify(filters)}`;
}
