import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Content } from '../../src/content/read-content.ts';
import { readContent } from '../../src/content/read-content.ts';
import type { PlacedAnnotation } from '../../src/content/read-annotations.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { annotateReadings } from '../../src/insights/annotations.ts';
import { DATASET } from '../support/fixtures.ts';

const all = await readContent(DATASET);
const reviews = [
  ...all.reviews.filter(({ text }) => text?.includes('Marcus')),
  ...all.reviews.filter(({ text }) => text && !text.includes('Marcus')).slice(0, 30),
];
const content: Content = { ...all, annotations: [], reviews };
const plain = buildPublication(content, 'https://reviews.example');
const review = plain.dataset.reviews.find(
  ({ id, text }) => text?.includes('Marcus') && plain.insights.per_review[id]!.aspects.length > 0,
)!;
const { content_hash } = plain.insights.per_review[review.id]!;
const base: PlacedAnnotation = {
  review_id: review.id,
  content_hash,
  source: 'a person',
  mode: 'override',
  file: 'content/annotations/a.jsonl',
  line: 7,
};
const published = (annotation: Partial<PlacedAnnotation>) => {
  const annotated: Content = { ...content, annotations: [{ ...base, ...annotation }] };
  return buildPublication(annotated, 'https://reviews.example');
};
const aspects = [{ id: 'warranty', sentiment: 'negative' as const, quote: null }];

test('an annotation takes the place of what the engine found, everywhere', () => {
  const labels = { technicians: ['hank-lindqvist'], services: [], aspects };
  const { dataset, insights, warnings } = published({ ...labels, sentiment: 'neutral' });
  const { technicians, aspects: found, source } = insights.per_review[review.id]!;
  const read = [technicians, found.map(({ id }) => id), source];
  assert.deepEqual(read, [['hank-lindqvist'], ['warranty'], 'a person']);
  const { mentions } = dataset.reviews.find(({ id }) => id === review.id)!;
  assert.deepEqual(mentions, { technicians: ['hank-lindqvist'], services: [] });
  assert.equal(insights.method.annotated_reviews, 1);
  assert.match(insights.model, /^mixed/);
  assert.doesNotMatch(warnings.join(), /stale/);
});

test('one that adds leaves the rest as it was', () => {
  const before = plain.insights.per_review[review.id]!;
  assert.ok(before.technicians.length > 0 && before.aspects.length > 0);
  const { insights } = published({ mode: 'add', technicians: ['hank-lindqvist'], aspects });
  const labels = insights.per_review[review.id]!;
  for (const id of before.technicians) assert.ok(labels.technicians.includes(id));
  assert.ok(labels.technicians.includes('hank-lindqvist'));
  for (const { id } of before.aspects) assert.ok(labels.aspects.some((now) => now.id === id));
});

test('a stale one is passed over and named', () => {
  const { insights, warnings } = published({ content_hash: '0'.repeat(16), aspects });
  assert.match(warnings.join(), /^1 stale annotations, .*: content\/annotations\/a\.jsonl:7/);
  assert.deepEqual(insights.per_review, plain.insights.per_review);
});

test('a quote that is no piece of the review stops the build, with its place', () => {
  const foreign = () => published({ aspects: [{ ...aspects[0]!, quote: 'Nobody wrote this' }] });
  assert.throws(foreign, /annotations\/a\.jsonl:7: aspects\.0\.quote: is not a verbatim piece/);
});

test('a negative quote is read in the language of its review', () => {
  const refused = (text: string) => {
    const own = { ...review, text, language: 'fr' };
    const reading = { ...plain.insights.per_review[review.id]!, content_hash };
    const label = { id: 'warranty', sentiment: 'negative' as const, quote: text };
    const made = { ...base, aspects: [label] };
    return annotateReadings(new Map([[review.id, reading]]), [own], [made], all.vocabulary).refused;
  };
  assert.equal(refused('Très mauvaise garantie.').length, 0);
  assert.equal(refused('Une garantie refusée par Odile.').length, 1);
});

test('a negative quote that names a technician stops the build', () => {
  const naming = () => published({ aspects: [{ ...aspects[0]!, quote: 'Marcus' }] });
  assert.throws(naming, /may name a person/);
});
