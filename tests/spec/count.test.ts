import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countResult, type CountResult, type ReviewGroup } from '../../src/schema/count.ts';
import { GROUPS, type GroupName } from '../../src/schema/groups.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import type { SearchResult } from '../../src/schema/search.ts';
import { fold } from '../../src/search/tokens.ts';
import { byValues, naiveCount } from '../support/naive-count.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

const COUNT = '/api/reviews/count';
/** Groupings whose groups come in the order of their size; the others have an order of their own. */
const BY_SIZE = new Set('aspect technician service problem area topic source language'.split(' '));
const TWO: GroupName[] = ['rating', 'aspect'];

forEachTarget((target) => {
  for (const asked of [...GROUPS.map((group) => [group]), TWO]) {
    const group = asked.join();
    test(`by ${group}, the groups are what recounting the published files gives`, async () => {
      const { groups, total, group_by } = await count(target, `group_by=${group}`);
      const { reviews } = await target.dataset();
      assert.deepEqual([total, group_by], [reviews.length, asked]);
      const own = groups.map(({ key, ...numbers }) => ({ values: [key].flat(), ...numbers }));
      const expected = naiveCount(await published(target), { group_by: asked, examples: 0 });
      if (BY_SIZE.has(group)) {
        const bySize = groups.toSorted((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1));
        assert.deepEqual(groups, bySize);
      }
      assert.deepEqual(own.sort(byValues), expected.groups);
    });
  }

  test('without a grouping all matches are one group', async () => {
    const { groups, total } = await count(target, 'rating=5');
    const [all, ...others] = groups;
    assert.deepEqual([all!.key, all!.n, others], ['all', total, []]);
    assert.deepEqual((await count(target, 'query=qqqqqq')).groups, []);
  });

  test('two groupings come in the order of the first, then the second', async () => {
    const { groups } = await count(target, `group_by=${TWO.join()}`);
    const inOrder = groups.toSorted((a, b) => Number(b.key[0]) - Number(a.key[0]) || b.n - a.n);
    assert.deepEqual(groups, inOrder);
  });

  test('periods and stars come in their order', async () => {
    const keys = async (group: string) =>
      (await count(target, `group_by=${group}`)).groups.map(({ key }) => key as string);
    for (const period of ['year', 'quarter', 'month']) {
      const found = await keys(period);
      assert.deepEqual(found, found.toSorted());
    }
    assert.deepEqual(await keys('rating'), ['5', '4', '3', '2', '1']);
  });

  test('a grouping by what a filter names says that it counts pairs', async () => {
    const technician = (await published(target)).names.technicians![0]!.id;
    const filter = `mentions_technician=${technician}`;
    const { pairs, groups } = await count(target, `${filter}&group_by=technician`);
    assert.deepEqual(pairs, ['technician']);
    assert.deepEqual(groups[0]!.key, technician);
    assert.equal((await count(target, `${filter}&group_by=aspect`)).pairs, undefined);
  });

  test('a word for a part of an aspect is counted by its own mentions, beside the whole', async () => {
    const { reviews, names } = await published(target);
    const word = 'on time';
    const aspect = names.aspects!.find((each) => each.names.includes(word))!;
    const found = await count(target, 'aspect=on+time&examples=2');
    const own = reviews.filter((review) =>
      [review.text, review.title].some((text) => /\bon[- ]?times?\b/i.test(text ?? '')),
    );
    assert.equal(found.total, own.length);
    assert.ok(found.wider![aspect.names[0]!]! > found.total);
    for (const { quote } of found.groups[0]!.examples!) assert.match(quote, /on[- ]time/i);
    const whole = await count(target, `aspect=${aspect.id}`);
    assert.equal(found.wider![aspect.names[0]!], whole.total);
  });

  test('counts what the same search matches', async () => {
    for (const filters of ['query=water&has_reply=true', 'max_rating=2&sentiment=negative']) {
      const { matched } = await target.json<SearchResult>(`/api/reviews/search?${filters}`);
      const { total, filters: echoed } = await count(target, filters);
      assert.equal(total, matched, filters);
      assert.ok(Object.keys(echoed).length === 2);
    }
  });

  test('only the first 50 groups have examples, so that an answer has a bound', async () => {
    const { groups } = await count(target, 'group_by=month,rating&examples=2');
    assert.ok(groups.length > 50);
    for (const [at, { examples }] of groups.entries()) assert.equal(!!examples, at < 50);
  });

  test('examples are verbatim quotes of reviews in the group, about its aspect', async () => {
    const { groups } = await count(target, 'group_by=aspect,sentiment&examples=2');
    const { reviews, perReview } = await published(target);
    assert.ok(groups.some(({ examples }) => examples!.length === 2));
    for (const { key, examples } of groups) {
      for (const { review_id, quote, ...cited } of examples!) {
        const review = reviews.find(({ id }) => id === review_id)!;
        const { url, date, rating, source, author } = review;
        assert.deepEqual(cited, { url, date, rating, source, author });
        const judged = perReview[review_id]!.aspects.find(({ id }) => id === key[0])!;
        assert.equal(judged.sentiment, key[1]);
        assert.equal(judged.quote, quote);
      }
      const days = examples!.map(({ date }) => date);
      assert.deepEqual(days, days.toSorted().toReversed());
    }
    const found = await count(target, 'query=water&examples=2');
    for (const { review_id, quote } of found.groups[0]!.examples!) {
      assert.match(quote, /water/i);
      assert.ok(reviews.find(({ id }) => id === review_id)!.text!.includes(quote));
    }
  });

  test('examples of what a group or a filter names have the words for it', async () => {
    const { reviews, names } = await published(target);
    const contains = (text: string, id: string) =>
      names
        .problems!.find((each) => each.id === id)!
        .names.some((name) => fold(text).includes(fold(name)));
    let quoted = 0;
    const check = (id: string, examples: ReviewGroup['examples']) => {
      for (const { review_id, quote } of examples!) {
        const text = reviews.find(({ id }) => id === review_id)!.text!;
        if (!text.split(/[.!?]/).some((sentence) => contains(sentence, id))) continue;
        assert.ok(contains(quote, id), `${id}: ${quote}`);
        quoted++;
      }
    };
    const { groups } = await count(target, 'group_by=problem&examples=2');
    for (const { key, examples } of groups) check(key as string, examples);
    const found = await count(target, 'mentions_problem=missed%20appointments&examples=2');
    check('missed-appointment', found.groups[0]!.examples);
    assert.ok(quoted > 6, `${quoted}`);
  });

  test('an unknown name matches nothing and says so', async () => {
    const { total, unresolved } = await count(target, 'aspect=zzzzzz&group_by=year');
    assert.equal(total, 0);
    assert.deepEqual(unresolved, [{ parameter: 'aspect', value: 'zzzzzz', suggestions: [] }]);
  });
});

async function count(target: Target, query: string): Promise<CountResult> {
  return countResult.parse(await target.json(`${COUNT}?${query}`));
}

async function published(target: Target) {
  const { reviews } = await target.dataset();
  const { names } = await target.manifest();
  const { per_review: perReview } = await target.json<InsightsDataset>('/insights.json');
  return { reviews, names, perReview };
}
