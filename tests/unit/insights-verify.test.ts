import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { verifyInsights } from '../../src/insights/verify.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { contentFolder } from '../support/content-folder.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';

const content = await readContent(DATASET);
const { dataset, insights } = buildPublication(content, 'https://reviews.example');

test('every count and quote of the sample can be recounted', () => {
  assert.deepEqual(verifyInsights(dataset, insights), []);
  assert.ok(insights.aspects.filter(({ mention_count }) => mention_count > 5).length >= 8);
  assert.ok(insights.aspects.flatMap(({ examples }) => examples).length > 20);
});

const TAMPERED: [string, (copy: typeof insights) => void][] = [
  ['a count', (copy) => copy.aspects[1]!.positive_count++],
  ['a share', (copy) => (copy.aspects[1]!.positive_pct = 99.9)],
  ['a quote', (copy) => (copy.aspects[1]!.examples[0]!.quote = 'The best of all')],
  ['a phrase', (copy) => copy.aspects[1]!.top_phrases.push('nobody wrote this')],
  ['an id', (copy) => copy.entities.technicians[0]!.review_ids.pop()],
  ['a label', (copy) => Object.values(copy.per_review)[0]!.technicians.push('somebody')],
  ['a month', (copy) => copy.temporal.monthly[0]!.review_count++],
  ['the pull quote', (copy) => (copy.pull_quote!.text = 'Five stars')],
];
for (const [what, tamper] of TAMPERED) {
  test(`finds that ${what} was changed`, () => {
    const copy = structuredClone(insights);
    tamper(copy);
    assert.ok(verifyInsights(dataset, copy).length > 0);
  });
}

test('the order of the input does not matter', () => {
  const shuffled = { ...content, reviews: content.reviews.toReversed() };
  const again = buildPublication(shuffled, 'https://reviews.example');
  assert.deepEqual(again.insights, insights);
  assert.deepEqual(
    again.lines.bytes,
    buildPublication(content, 'https://reviews.example').lines.bytes,
  );
});

test('a changed review changes the labels of no other', () => {
  const [first, ...others] = content.reviews;
  const changed = { ...first!, text: 'Late, rude and overpriced.' };
  const again = buildPublication(
    { ...content, reviews: [changed, ...others] },
    'https://reviews.example',
  ).insights;
  const { [first!.id]: _, ...rest } = insights.per_review;
  const { [first!.id]: now, ...restNow } = again.per_review;
  assert.deepEqual(restNow, rest);
  assert.notDeepEqual(now, insights.per_review[first!.id]);
});

test('no negative quote or phrase names a technician', () => {
  const names = content.vocabulary.technicians.flatMap(({ name, aliases }) => [name, ...aliases]);
  const pattern = new RegExp(`(?<![\\p{L}])(${names.join('|')})(?![\\p{L}])`, 'iu');
  const negative = [
    ...insights.aspects.flatMap((aspect) => aspect.negative_phrases),
    ...Object.values(insights.per_review).flatMap(({ aspects }) =>
      aspects.flatMap(({ sentiment, quote }) =>
        sentiment === 'negative' && quote !== null ? [quote] : [],
      ),
    ),
  ];
  assert.ok(negative.length > 10);
  assert.deepEqual(
    negative.filter((quote) => pattern.test(quote)),
    [],
  );
});

test('a summary that names what has no value stops the build, with its file and line', async (context) => {
  const folder = join(await temporaryFolder(context), 'another');
  const summary = '\n\nOur coverage is {{coverage.known}}.\n\nThe {{ coverage }} is nothing.\n';
  await rename(await contentFolder(context, { 'summary.md': summary }), folder);
  const written = await readContent(folder);
  assert.throws(
    () => buildPublication(written, 'https://reviews.example'),
    /^another\/summary\.md:5: \{\{coverage\}\} names nothing that has a value$/m,
  );
});
