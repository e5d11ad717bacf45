import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { readPack } from '../../src/content/read-pack.ts';
import { countInsights } from '../../src/insights/aggregate/insights.ts';
import { countValues, verifyDeep } from '../../src/insights/check-published.ts';
import { verifyInsights } from '../../src/insights/verify.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { contentFolder } from '../support/content-folder.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';
import { record, ulidOf } from '../support/reviews.ts';

const content = await readContent(DATASET);
const {
  dataset,
  insights,
  lines,
  insightsInputs: inputs,
  labels: labelBytes,
} = buildPublication(content, 'https://reviews.example');
const labels = labelBytes.toString();

test('every count and quote of the sample can be recounted', () => {
  assert.deepEqual(verifyInsights(dataset, insights), []);
  assert.ok(insights.aspects.filter(({ mention_count }) => mention_count > 5).length >= 8);
  assert.ok(insights.aspects.flatMap(({ examples }) => examples).length > 20);
});

test('phrases are verified in the language of their review', async () => {
  const { aspects, lexicon, trade } = await readPack('restaurant');
  const vocabulary = { ...content.vocabulary, aspects, lexicon, trade };
  const text = 'La comida riquísima. El servicio fue pésimo.';
  const reviews = [record({ id: ulidOf(1), language: 'es', rating: 3, text })];
  const spanish = buildPublication(
    { ...content, vocabulary, reviews, faq: [], summary: null },
    'https://reviews.example',
  );
  const [reading] = Object.values(spanish.insights.per_review);
  assert.ok(reading!.phrases.some(({ text: phrase }) => phrase.includes('riquísima')));
  assert.deepEqual(verifyInsights(spanish.dataset, spanish.insights), []);
});

test('the published files suffice to read every review again and get the same insights', () => {
  const [reviews, published] = asPublished();
  assert.deepEqual(verifyDeep({ dataset: reviews, insights: published, inputs, labels }), []);
});

test('reading again checks the rating and the labels for searches, too', () => {
  const rated = { ...dataset.aggregate_rating, rating_value: 4.9 };
  const better = { ...dataset, aggregate_rating: rated };
  const issues = verifyDeep({
    dataset: better,
    insights,
    inputs,
    labels: labels.replace('[0,', '[1,'),
  });
  assert.match(issues[0]!, /^aggregate_rating\.rating_value: says 4\.9, derived 4\.\d+$/);
  assert.match(issues.at(-1)!, /^review-labels\.json: /);
});

test('values are counted in objects and lists', () => {
  assert.equal(countValues({ a: 1, b: [null, 'x', { c: true }], d: {} }), 4);
});

for (const mark of ['’', ' ']) {
  test(`phrases with “${mark}” for an apostrophe are those of the review`, () => {
    const reviews = content.reviews.map((review) => ({
      ...review,
      text: review.text?.replaceAll(/(?<=n)'(?=t\b)/g, mark).normalize('NFD') ?? null,
    }));
    const curly = buildPublication({ ...content, annotations: [], reviews }, 'https://a.example');
    const phrases = Object.values(curly.insights.per_review).flatMap((labels) => labels.phrases);
    assert.ok(
      phrases.some(({ opinion, text }) => opinion.includes("'") && text.includes(`n${mark}t`)),
    );
    assert.deepEqual(verifyInsights(curly.dataset, curly.insights), []);
  });
}

type Insights = typeof insights;
const asPublished = () =>
  [dataset, insights].map((document) => JSON.parse(JSON.stringify(document))) as [
    typeof dataset,
    Insights,
  ];
const tampered = (tamper: (copy: Insights) => void): Insights => {
  const copy = structuredClone(insights);
  tamper(copy);
  assert.notDeepEqual(copy, insights, 'the falsification changes something');
  return copy;
};
const mostMentioned = <T extends { mention_count: number }>(list: readonly T[]): T =>
  list.toSorted((a, b) => b.mention_count - a.mention_count)[0]!;
/** A label that praises, with its review and its aspect. */
function praise(copy: Insights, aspectId: string) {
  const aspect = copy.aspects.find(({ id }) => id === aspectId)!;
  const labels = Object.values(copy.per_review).find(({ aspects }) =>
    aspects.some(({ id, sentiment }) => id === aspectId && sentiment === 'positive'),
  )!;
  return { aspect, labels, label: labels.aspects.find(({ id }) => id === aspectId)! };
}
const oneStar = dataset.reviews.find(
  ({ rating, text }) => rating === 1 && (text?.length ?? 0) > 50,
)!;

/** Each falsifies a copy of insights.json in one way; the path of a difference must name it. */
const FALSIFIED: [what: string, path: RegExp, tamper: (copy: Insights) => void][] = [
  ['a count', /^aspects\.\w+\.positive_count/, (copy) => copy.aspects[1]!.positive_count++],
  ['a share', /^aspects\.\w+\.positive_pct/, (copy) => (copy.aspects[1]!.positive_pct = 99.9)],
  ['the score of an aspect', /^aspects\.\w+\.score/, (copy) => (copy.aspects[1]!.score = 0.99)],
  [
    'a quote',
    /^aspects\.\w+\.examples/,
    (copy) => (copy.aspects[1]!.examples[0]!.quote = 'The best of all'),
  ],
  [
    'a quote of another review',
    /^aspects\.\w+\.examples/,
    (copy) => (copy.aspects[1]!.examples[0]!.review_id = oneStar.id),
  ],
  [
    'the examples that criticize',
    /^aspects\.\w+\.examples/,
    (copy) => {
      const { examples } = copy.aspects.find(
        ({ examples }) => examples.at(-1)?.sentiment === 'negative',
      )!;
      while (examples.at(-1)?.sentiment === 'negative') examples.pop();
    },
  ],
  [
    'an invented phrase',
    /top_phrases/,
    (copy) => copy.aspects[1]!.top_phrases.push('nobody wrote this'),
  ],
  [
    'a phrase on the wrong side',
    /top_phrases/,
    (copy) => copy.aspects[1]!.top_phrases.push(copy.aspects[1]!.negative_phrases[0]!),
  ],
  ['phrases left out', /negative_phrases/, (copy) => (copy.aspects[1]!.negative_phrases = [])],
  ['an aspect left out', /^(aspects|per_review)/, (copy) => copy.aspects.splice(1, 1)],
  [
    'the reviews of a technician',
    /^entities\.technicians\.[\w-]+\.review_ids/,
    (copy) => copy.entities.technicians[0]!.review_ids.pop(),
  ],
  [
    'the score of a technician',
    /^entities\.technicians\.[\w-]+\.score/,
    (copy) => (mostMentioned(copy.entities.technicians).score = 0.123),
  ],
  [
    'the aspects of a technician',
    /^entities\.technicians\.[\w-]+\.aspects/,
    (copy) => mostMentioned(copy.entities.technicians).aspects[0]!.mention_count++,
  ],
  [
    'the average of a service',
    /^entities\.services\.[\w-]+\.average_rating/,
    (copy) => (mostMentioned(copy.entities.services).average_rating = 5),
  ],
  [
    'the date of the last mention',
    /last_mentioned/,
    (copy) => (mostMentioned(copy.entities.services).last_mentioned = '2020-01-01'),
  ],
  [
    'the date of the first mention',
    /first_mentioned/,
    (copy) => (mostMentioned(copy.entities.problems).first_mentioned = '2030-01-01'),
  ],
  ['the share of a topic', /^topics.*share_pct/, (copy) => (copy.topics[0]!.share_pct += 1)],
  [
    'the average of a topic',
    /^topics.*average_rating/,
    (copy) => (copy.topics[0]!.average_rating = 1.11),
  ],
  ['a review of a month', /^temporal\.monthly/, (copy) => copy.temporal.monthly[0]!.review_count++],
  [
    'the average of a month',
    /^temporal\.monthly.*average_rating/,
    (copy) => (copy.temporal.monthly.at(-1)!.average_rating = 4.99),
  ],
  ['a month left out', /^temporal\.monthly/, (copy) => copy.temporal.monthly.pop()],
  [
    'the trend',
    /^temporal\.trend/,
    (copy) =>
      (copy.temporal.trend = copy.temporal.trend === 'improving' ? 'declining' : 'improving'),
  ],
  ['the window of the trend', /^temporal\.recent/, (copy) => copy.temporal.recent.n++],
  [
    'the overall shares',
    /^overall_sentiment\.negative_pct/,
    (copy) => (copy.overall_sentiment.negative_pct = 0.1),
  ],
  ['the overall score', /^overall_sentiment\.score/, (copy) => (copy.overall_sentiment.score = 1)],
  ['the range of dates', /^date_range/, (copy) => (copy.date_range.earliest = '1999-01-01')],
  [
    'the evidence of an answer',
    /^faq.*evidence_review_ids/,
    (copy) => {
      copy.faq[0]!.evidence_review_ids.pop();
      copy.faq[0]!.evidence_count--;
    },
  ],
  [
    'the side of an evidence quote',
    /^faq.*quotes/,
    (copy) => {
      const quote = copy.faq
        .flatMap(({ quotes }) => quotes)
        .find((one) => one.sentiment === 'negative')!;
      quote.sentiment = 'positive';
    },
  ],
  [
    'the pull quote, taken from a review of one star',
    /^pull_quote/,
    (copy) => (copy.pull_quote = { review_id: oneStar.id, text: oneStar.text!.split('.')[0]! }),
  ],
  [
    'a content hash',
    /^per_review.*content_hash/,
    (copy) => (Object.values(copy.per_review)[0]!.content_hash = '0'.repeat(16)),
  ],
  [
    'a mention that the dataset does not have',
    /^per_review.*technicians/,
    (copy) => Object.values(copy.per_review)[0]!.technicians.push('somebody'),
  ],
  [
    'a label and its counts together',
    /^per_review.*sentiment/,
    (copy) => {
      const { aspect, label } = praise(copy, copy.aspects[1]!.id);
      label.sentiment = 'negative';
      aspect.positive_count--;
      aspect.negative_count++;
    },
  ],
  [
    'the sentiment of a review by its stars',
    /^per_review.*sentiment/,
    (copy) => (copy.per_review[oneStar.id]!.sentiment = 'positive'),
  ],
  [
    'the hidden quote of a label',
    /^per_review.*quote/,
    (copy) => (praise(copy, copy.aspects[1]!.id).label.quote = 'Simply the best.'),
  ],
  [
    'the labels of a review left out',
    /^per_review/,
    (copy) => delete copy.per_review[dataset.reviews[3]!.id],
  ],
  [
    'the labels of a review that is not published',
    /^per_review/,
    (copy) =>
      (copy.per_review['01JGPP7MP9F4F3G8D3NWBJBTZZ'] = copy.per_review[dataset.reviews[0]!.id]!),
  ],
  ['a number in the summary', /^summary/, (copy) => (copy.summary += ' 99 % are happy.')],
  [
    'the number of annotated reviews',
    /annotated_reviews/,
    (copy) => copy.method.annotated_reviews++,
  ],
  ['the time of the data', /^generated_at/, (copy) => (copy.generated_at = '2031-01-01T00:00:00Z')],
];
for (const [what, path, tamper] of FALSIFIED) {
  test(`verify names what was falsified: ${what}`, () => {
    const issues = verifyInsights(dataset, tampered(tamper));
    assert.ok(
      issues.some((issue) => path.test(issue)),
      issues.slice(0, 5).join('\n') || 'nothing was found',
    );
  });
}

/** They agree with each other, so only a new reading finds them. */
const CONSISTENT: typeof FALSIFIED = [
  [
    'a label with its score and all that is counted from it',
    /^per_review.*score/,
    (copy) => {
      for (const { aspects } of Object.values(copy.per_review)) {
        for (const label of aspects) Object.assign(label, { sentiment: 'positive', score: 0.9 });
      }
      Object.assign(copy, recounted(copy));
    },
  ],
  ['the name of an aspect', /^aspects.*label/, (copy) => (copy.aspects[1]!.label = 'Perfection')],
  ['an answer', /^faq.*answer/, (copy) => (copy.faq[0]!.answer = 'Always.')],
  [
    'the summary with its template',
    /^summary/,
    (copy) => (copy.summary = copy.summary_template = 'The best.'),
  ],
  [
    'the hash of the lexicon',
    /^method\.lexicon_sha256/,
    (copy) => (copy.method.lexicon_sha256 = '0'.repeat(64)),
  ],
];
for (const [what, path, tamper] of CONSISTENT) {
  test(`reading again names what was falsified: ${what}`, () => {
    const issues = verifyDeep({ dataset, insights: tampered(tamper), inputs, labels });
    assert.ok(
      issues.some((issue) => path.test(issue)),
      issues.slice(0, 5).join('\n') || 'nothing was found',
    );
  });
}

/** Returns the document that its own labels give. */
function recounted(copy: Insights): Insights {
  const { aspects, entities, topics, faq, summary_template: summary, method } = copy;
  return countInsights({
    dataset,
    labels: copy.per_review,
    catalog: { aspects, ...entities, topics },
    faq: faq.map((question) => ({
      ...question,
      answer: question.counted ? null : question.answer,
    })),
    summary,
    method,
  });
}

test('reading again refuses labels of another engine', () => {
  const older = tampered((copy) => (copy.method.engine_version = '0.9.0'));
  assert.match(
    verifyDeep({ dataset, insights: older, inputs, labels })[0]!,
    /^method\.engine_version: is 0\.9\.0/,
  );
});

test('the published inputs keep nothing of reviews that are not published', async () => {
  const [withdrawn, stale] = dataset.reviews;
  const annotation = { source: 'a person', mode: 'add' as const, file: 'a.jsonl', line: 1 };
  const { content_hash } = insights.per_review[withdrawn!.id]!;
  const publication = buildPublication(
    {
      ...content,
      reviews: content.reviews.filter(({ id }) => id !== withdrawn!.id),
      annotations: [
        { ...annotation, review_id: withdrawn!.id, content_hash },
        { ...annotation, review_id: stale!.id, content_hash: '0'.repeat(16) },
      ],
    },
    'https://reviews.example',
  );
  assert.deepEqual(publication.insightsInputs.annotations, []);
});

test('the order of the input does not matter', () => {
  const shuffled = { ...content, reviews: content.reviews.toReversed() };
  const again = buildPublication(shuffled, 'https://reviews.example');
  assert.deepEqual(again.insights, insights);
  assert.deepEqual(again.lines.bytes, lines.bytes);
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
    /another\/summary\.md:5: \{\{coverage\}\} names nothing that has a value$/m,
  );
});
