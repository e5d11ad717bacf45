import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNT_PATH, SEARCH_PATH } from '../../src/paths.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import type { CountFilters, CountResult } from '../../src/schema/count.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import type { Review } from '../../src/schema/review.ts';
import type { SearchResult } from '../../src/schema/search.ts';
import { answerOf, toolErrorOf, withoutMarks, type Door } from '../support/mcp.ts';
import { byValues, naiveCount } from '../support/naive-count.ts';
import { naiveSearch, narrowWord, type Published } from '../support/naive-search.ts';
import { Questions } from '../support/questions.ts';
import { Random } from '../support/random.ts';
import { sampleApp } from '../support/targets.ts';

/** Enough for each parameter; search-oracle.test.ts asks the index more. `QUESTIONS=2500` is thorough. */
const QUESTIONS = Number(process.env.QUESTIONS ?? 150);

const app = await sampleApp();
const door: Door = { fetch: (path, init) => app.request(path, init) };
const { reviews } = await json<ReviewsDataset>('/reviews.json');
const { per_review: perReview } = await json<InsightsDataset>('/insights.json');
const { names } = await json<Manifest>('/edition.json');
const published: Published = { reviews, perReview, names };

test(`${QUESTIONS} random searches at both interfaces answer what reading every review answers`, async () => {
  const questions = new Questions(new Random(51), published);
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const filters = questions.search();
    const found = await json<SearchResult>(pathOf(SEARCH_PATH, filters));
    const { matched, reviews } = found;
    assert.deepEqual({ matched, reviews }, naiveSearch(published, filters), show(filters));
    await assertSameByTool('search_reviews', filters, found);
  }
});

test(`${QUESTIONS} random counts at both interfaces answer what reading every review answers`, async () => {
  const questions = new Questions(new Random(52), published);
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const filters = questions.count();
    const counted = await json<CountResult>(pathOf(COUNT_PATH, filters));
    const groups = counted.groups.map(({ key, ...numbers }) => ({
      values: filters.group_by ? [key].flat() : [],
      ...numbers,
    }));
    const own = { total: counted.total, groups: groups.sort(byValues), wider: counted.wider };
    const wider = widerCounts(filters);
    assert.deepEqual(own, { ...naiveCount(published, filters), wider }, show(filters));
    await assertSameByTool('count_reviews', filters, counted);
  }
});

/** Counts the ids that a word in a filter is a part of, by label; undefined without such a word. */
function widerCounts(filters: CountFilters): Record<string, number> | undefined {
  const counts = (['aspect', 'topic'] as const).flatMap((parameter) => {
    const entries = names[`${parameter}s`];
    const wider = narrowWord(entries, filters[parameter])?.wider ?? new Set();
    return entries
      .filter(({ id }) => wider.has(id))
      .map(({ id, names: [label] }) => {
        return [label!, naiveCount(published, { ...filters, [parameter]: id }).total] as const;
      });
  });
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

/** Groups of one answer of a tool. */
const MOST_GROUPS = 250;

/** Asserts that a tool answers the same, or an error if a name is unknown or the groups are too many. */
async function assertSameByTool(
  tool: string,
  filters: object,
  expected: SearchResult | CountResult,
): Promise<void> {
  if ('groups' in expected && expected.groups.length > MOST_GROUPS) {
    const { error } = await toolErrorOf(door, tool, filters);
    assert.equal(error, 'too_many_groups');
    return;
  }
  if (!expected.unresolved) {
    const answer = await answerOf(door, tool, filters);
    if ('reviews' in expected) {
      const { reviews } = expected;
      answer.reviews = answer.reviews.map((each: Review, at: number) => uncut(each, reviews[at]!));
    }
    assert.deepEqual(answer, withoutMarks(expected), show(filters));
    return;
  }
  const { issues } = await toolErrorOf(door, tool, filters);
  assert.deepEqual(
    issues.map(({ path }: { path: string[] }) => path[0]),
    expected.unresolved.map(({ parameter }) => parameter),
  );
}

const CUT = /… \[cut: (\d+) characters, all of them at (\S+) and \S+\]$/;

/** Returns a review of a tool with the texts that were cut, which begin like them and link to them. */
function uncut(review: Review, full: Review): Review {
  const restored = <T extends string | null>(given: T, published: T): T => {
    const [mark, length, link] = CUT.exec(given ?? '') ?? [];
    if (mark === undefined || given === published) return given;
    assert.ok(published?.startsWith(given!.slice(0, -mark.length)), full.id);
    assert.deepEqual([Number(length), link], [published!.length, full.url]);
    return published;
  };
  const { author, title, text, owner_reply: reply } = review;
  return {
    ...review,
    author: restored(author, full.author),
    title: restored(title, full.title),
    text: restored(text, full.text),
    owner_reply: reply && { ...reply, text: restored(reply.text, full.owner_reply!.text) },
  };
}

function pathOf(path: string, filters: object): string {
  const query = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  return `${path}?${new URLSearchParams(query)}`;
}

async function json<T>(path: string): Promise<T> {
  const response = await door.fetch(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

function show(filters: object): string {
  return `differs for ${JSON.stringify(filters)}`;
}
