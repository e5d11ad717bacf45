import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { contentHash } from '../../src/insights/analyze/review-reader.ts';
import { PolarityModel } from '../../src/insights/analyze/polarity-model.ts';
import type { Annotation } from '../../src/schema/annotation.ts';
import type { Sentiment } from '../../src/schema/insights.ts';
import { writeGoldDataset } from '../bench/insights/annotated-gold.ts';
import { readGold, type GoldItem } from '../bench/insights/gold.ts';
import { ownGold } from '../bench/insights/own-gold.ts';
import { WEIGHTS } from '../support/engine.ts';
import { DATASET } from '../support/fixtures.ts';

const { vocabulary } = await readContent(DATASET);
const items = readGold('plain', 'development').slice(0, 20);

function annotate(item: GoldItem, turn: (side: Sentiment) => Sentiment): Annotation {
  const { text, technicians, services, service_areas } = item;
  const aspects = Object.entries(item.aspects).map(([id, side]) => {
    return { id, sentiment: turn(side), quote: null };
  });
  const about = {
    review_id: '01GD0000000000000000000000',
    source: 'test',
    mode: 'override',
  } as const;
  const content_hash = contentHash({ title: null, text });
  return { ...about, content_hash, aspects, technicians, services, service_areas };
}

function measure(turn: (side: Sentiment) => Sentiment): Record<string, number | undefined> {
  const annotations = items.map((item) => annotate(item, turn));
  const model = new PolarityModel(WEIGHTS);
  const rows = ownGold('plain', 'development', vocabulary, model, annotations);
  return Object.fromEntries(
    rows.map(({ work, ratio }) => [work.replace('plain, development, 20 annotated: ', ''), ratio]),
  );
}

test('annotations equal to the gold set are all right', () => {
  const measured = measure((side) => side);
  for (const name of ['aspect precision', 'aspect recall', 'polarity accuracy', 'service recall']) {
    assert.equal(measured[name], 1, name);
  }
});

test('annotations of the wrong side are all wrong', () => {
  const measured = measure((side) => (side === 'positive' ? 'negative' : 'positive'));
  assert.equal(measured['polarity accuracy'], 0);
  assert.equal(measured['aspect recall'], 1);
});

test('the gold set is a dataset that annotations can be made for', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'gold-'));
  t.after(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'content');
  const written = await writeGoldDataset(folder);
  const { reviews } = await readContent(folder);
  assert.equal(reviews.length, written);
  assert.ok(items.every(({ text }) => reviews.some((review) => review.text === text)));
});
