import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Content } from '../../src/content/read-content.ts';
import { readContent } from '../../src/content/read-content.ts';
import { verifyDeep } from '../../src/insights/check-published.ts';
import { differences } from '../../src/insights/differences.ts';
import { misquotes } from '../../src/insights/misquotes.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { contentFolder } from '../support/content-folder.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';

const sample = await readContent(DATASET);
/** A part of the sample: more reviews have no other kinds of labels. */
const content = {
  ...sample,
  reviews: sample.reviews.filter(({ rating }, at) => at % 8 === 0 || rating === 1),
};
const publish = (changes: Partial<Content> = {}) =>
  buildPublication({ ...content, ...changes }, 'https://reviews.example');
const { dataset, insights, lines, insightsInputs: inputs, ...published } = publish();
const labels = published.labels.toString();

test('every quote and phrase is a verbatim piece of its review, and another is named', () => {
  assert.deepEqual(misquotes(dataset.reviews, insights.per_review), []);
  const copy = structuredClone(insights.per_review);
  const quoting = Object.values(copy).find(({ aspects }) => aspects[0]?.quote);
  quoting!.aspects[0]!.quote = 'Never late.';
  assert.match(misquotes(dataset.reviews, copy).join(), /does not say “Never late\.”$/);
});

test('the published files suffice to read every review again and get the same insights', () => {
  const files = JSON.stringify({ dataset, insights, inputs, labels });
  assert.deepEqual(verifyDeep(JSON.parse(files)), []);
});

test('reading again checks the rating and the labels for searches, too', () => {
  const rated = { ...dataset.aggregate_rating, rating_value: 4.9 };
  const better = { ...dataset, aggregate_rating: rated };
  const other = labels.replace('[0,', '[1,');
  const issues = verifyDeep({ dataset: better, insights, inputs, labels: other });
  assert.match(issues[0]!, /^aggregate_rating\.rating_value: says 4\.9, derived 3\.\d+$/);
  assert.match(issues.at(-1)!, /^review-labels\.json: /);
});

for (const mark of ['’', ' ']) {
  test(`phrases with “${mark}” for an apostrophe are those of the review`, () => {
    const negating = sample.reviews.filter(({ text }) => text?.includes("n't"));
    const reviews = negating.map((review) => ({
      ...review,
      text: review.text?.replaceAll(/(?<=n)'(?=t\b)/g, mark).normalize('NFD') ?? null,
    }));
    const { dataset, insights } = publish({ annotations: [], reviews });
    const phrases = Object.values(insights.per_review).flatMap((labels) => labels.phrases);
    const isNegated = (text: string) => text.includes(`n${mark}t`);
    assert.ok(phrases.some(({ opinion, text }) => opinion.includes("'") && isNegated(text)));
    assert.deepEqual(misquotes(dataset.reviews, insights.per_review), []);
  });
}

test('a difference is named by its members, and by the id of an item where it has one', () => {
  const derived = { aspects: [{ id: 'price', count: 3, quotes: ['a'] }], labels: { one: 1 } };
  const stated = { aspects: [{ id: 'price', count: 4, quotes: ['a', 'b'] }], labels: { two: 1 } };
  assert.deepEqual(differences(derived, derived), []);
  assert.deepEqual(differences(stated, derived), [
    'aspects.price.count: says 4, derived 3',
    'aspects.price.quotes.1: says "b", derived nothing',
    'labels.two: says 1, derived nothing',
    'labels.one: says nothing, derived 1',
  ]);
});

test('reading again names labels, names, answers and hashes that are not its own', () => {
  const copy = structuredClone(insights);
  for (const { aspects } of Object.values(copy.per_review)) {
    for (const label of aspects) Object.assign(label, { sentiment: 'positive', score: 0.9 });
  }
  copy.aspects[1]!.label = 'Perfection';
  copy.faq[0]!.answer = 'Always.';
  copy.summary = copy.summary_template = 'The best.';
  copy.method.lexicon_sha256 = '0'.repeat(64);
  const issues = verifyDeep({ dataset, insights: copy, inputs, labels }).join('\n');
  for (const path of [/^per_review.*score/m, /^aspects.*label/m, /^faq.*answer/m, /^summary/m]) {
    assert.match(issues, path);
  }
  assert.match(issues, /^method\.lexicon_sha256/m);
});

test('reading again refuses labels of another engine', () => {
  const older = { ...insights, method: { ...insights.method, engine_version: '0.9.0' } };
  const [issue] = verifyDeep({ dataset, insights: older, inputs, labels });
  assert.match(issue!, /^method\.engine_version: is 0\.9\.0/);
});

test('the published inputs keep nothing of reviews that are not published', async () => {
  const [withdrawn, stale] = dataset.reviews;
  const annotation = { source: 'a person', mode: 'add' as const, file: 'a.jsonl', line: 1 };
  const { content_hash } = insights.per_review[withdrawn!.id]!;
  const { insightsInputs } = publish({
    reviews: content.reviews.filter(({ id }) => id !== withdrawn!.id),
    annotations: [
      { ...annotation, review_id: withdrawn!.id, content_hash },
      { ...annotation, review_id: stale!.id, content_hash: '0'.repeat(16) },
    ],
  });
  assert.deepEqual(insightsInputs.annotations, []);
});

test('the order of the input does not matter', () => {
  const again = publish({ reviews: content.reviews.toReversed() });
  assert.deepEqual(again.insights, insights);
  assert.deepEqual(again.lines.bytes, lines.bytes);
});

test('a changed review changes the labels of no other', () => {
  const [first, ...others] = content.reviews;
  const changed = { ...first!, text: 'Late, rude and overpriced.' };
  const { per_review } = publish({ reviews: [changed, ...others] }).insights;
  const { [first!.id]: _, ...rest } = insights.per_review;
  const { [first!.id]: now, ...restNow } = per_review;
  assert.deepEqual(restNow, rest);
  assert.notDeepEqual(now, insights.per_review[first!.id]);
});

test('a summary that names what has no value stops the build, with its file and line', async (context) => {
  const folder = join(await temporaryFolder(context), 'another');
  const summary = '\n\nOur coverage is {{coverage.known}}.\n\nThe {{ coverage }} is nothing.\n';
  await rename(await contentFolder(context, { 'summary.md': summary }), folder);
  const written = await readContent(folder);
  const issue = /another\/summary\.md:5: \{\{coverage\}\} names nothing that has a value$/m;
  assert.throws(() => buildPublication(written, 'https://reviews.example'), issue);
});
