import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { readPack } from '../../src/content/read-pack.ts';
import { countInsights } from '../../src/insights/aggregate/insights.ts';
import { verifyDeep } from '../../src/insights/check-published.ts';
import { verifyInsights } from '../../src/insights/verify.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { contentFolder } from '../support/content-folder.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';
import { record, ulidOf } from '../support/reviews.ts';

const sample = await readContent(DATASET);
/** A part of the sample: more reviews have no other kinds of labels. */
const content = {
  ...sample,
  reviews: sample.reviews.filter(({ rating }, at) => at % 8 === 0 || rating === 1),
};
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

type Path = readonly string[];

/** Returns a path for each kind of value: paths that differ in an index or an id are of one kind. */
function kindsOf(value: unknown, path: Path = [], kinds = new Map<string, Path>()) {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) kindsOf(inner, [...path, key], kinds);
  }
  const kind = path.map((key) => (/^(\d+|[0-9A-Z]{26})$/.test(key) ? '*' : key)).join('.');
  const isValue = Array.isArray(value) ? value.length > 0 : typeof value !== 'object';
  if (isValue && !kinds.has(kind)) kinds.set(kind, path);
  return kinds;
}

/** Returns a copy in which a number, a text or a flag is another, or a list lacks an item. */
function falsified(path: Path): Insights {
  const copy = structuredClone(insights);
  let parent = copy as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  const key = path.at(-1)!;
  const value = parent[key];
  if (Array.isArray(value)) value.shift();
  else if (typeof value === 'number') parent[key] = value + 1;
  else parent[key] = typeof value === 'boolean' ? !value : `${value as string}x`;
  return copy;
}

/** Names, hashes, questions, how sure a reading is, and what no review mentions: only a new reading can tell. */
const READ_AGAIN =
  /^(method|faq$|entities\.\w+(\.\*\.id)?$)|\.(label|alone|opinion)$|^faq\.\*\.(id|question|answer|claims|evidence)\b|aspect_ids|passages|^per_review.*score$/;
/** The schema has refused other kinds of passages before. */
const OF_SCHEMA = /\.kind$/;

test('verify names every kind of value that was falsified', () => {
  const kinds = [...kindsOf(insights)].filter(([kind]) => !OF_SCHEMA.test(kind));
  assert.ok(kinds.length > 150, String(kinds.length));
  const missed = kinds.filter(([kind, path]) => {
    return !READ_AGAIN.test(kind) && verifyInsights(dataset, falsified(path)).length === 0;
  });
  assert.deepEqual(missed, []);
});

const oneStar = dataset.reviews.find(
  ({ rating, text }) => rating === 1 && (text?.length ?? 0) > 50,
)!;

/** Values of the right kind at the wrong place; the path of a difference must name it. */
const MISPLACED: [what: string, path: RegExp, tamper: (copy: Insights) => void][] = [
  [
    'a quote of another review',
    /^aspects\.\w+\.examples/,
    (copy) => (copy.aspects[1]!.examples[0]!.review_id = oneStar.id),
  ],
  [
    'a technician under another id',
    /^entities\.technicians/,
    (copy) => (copy.entities.technicians[0]!.id = 'nobody'),
  ],
  [
    'a phrase on the wrong side',
    /top_phrases/,
    (copy) => copy.aspects[1]!.top_phrases.push(copy.aspects[1]!.negative_phrases[0]!),
  ],
  [
    'the pull quote, taken from a review of one star',
    /^pull_quote/,
    (copy) => (copy.pull_quote = { review_id: oneStar.id, text: oneStar.text!.split('.')[0]! }),
  ],
  [
    'a label and its counts together',
    /^per_review.*sentiment/,
    (copy) => {
      const [aspect] = copy.aspects;
      const label = Object.values(copy.per_review)
        .flatMap(({ aspects }) => aspects)
        .find(({ id, sentiment }) => id === aspect!.id && sentiment === 'positive');
      label!.sentiment = 'negative';
      aspect!.positive_count--;
      aspect!.negative_count++;
    },
  ],
  ['the labels of a review left out', /^per_review/, (copy) => delete copy.per_review[oneStar.id]],
  [
    'the labels of a review that is not published',
    /^per_review/,
    (copy) =>
      (copy.per_review['01JGPP7MP9F4F3G8D3NWBJBTZZ'] = copy.per_review[dataset.reviews[0]!.id]!),
  ],
];
for (const [what, path, tamper] of MISPLACED) {
  test(`verify names ${what}`, () => {
    const issues = verifyInsights(dataset, tampered(tamper));
    assert.ok(
      issues.some((issue) => path.test(issue)),
      issues.slice(0, 5).join('\n') || 'nothing was found',
    );
  });
}

test('reading again names labels with all that is counted from them, names, answers and hashes', () => {
  const copy = tampered((copy) => {
    for (const { aspects } of Object.values(copy.per_review)) {
      for (const label of aspects) Object.assign(label, { sentiment: 'positive', score: 0.9 });
    }
    Object.assign(copy, recounted(copy));
    copy.aspects[1]!.label = 'Perfection';
    copy.faq[0]!.answer = 'Always.';
    copy.summary = copy.summary_template = 'The best.';
    copy.method.lexicon_sha256 = '0'.repeat(64);
  });
  const issues = verifyDeep({ dataset, insights: copy, inputs, labels }).join('\n');
  for (const path of [
    /^per_review.*score/m,
    /^aspects.*label/m,
    /^faq.*answer/m,
    /^summary/m,
    /^method\.lexicon_sha256/m,
  ]) {
    assert.match(issues, path);
  }
});

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
