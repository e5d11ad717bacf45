import { ReviewReader } from '../../../src/insights/analyze/review-reader.ts';
import type { PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import type { Annotation } from '../../../src/schema/annotation.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import { OVERALL_ASPECT, type Vocabulary } from '../../../src/schema/vocabulary.ts';
import type { Row } from '../report.ts';
import { annotatedItems, applyAnnotations } from './annotated-gold.ts';
import { readGold, type GoldItem, type Half } from './gold.ts';
import { PEERS } from './peers.ts';
import { atLeast } from './rows.ts';
import { accuracy, macroF1, SetScore } from './scores.ts';

/**
 * Measures the project's gold set; the goals apply to the half kept aside.
 *
 * @param annotations to measure instead of the engine, on the pieces that have one
 */
export function ownGold(
  set: 'plain' | 'hard',
  half: Half,
  vocabulary: Vocabulary,
  model: PolarityModel,
  annotations?: readonly Annotation[],
): Row[] {
  const all = readGold(set, half);
  const items = annotations ? annotatedItems(all, annotations) : all;
  if (items.length === 0) return [];
  const name = annotations ? `${set}, ${half}, ${items.length} annotated` : `${set}, ${half}`;
  const reader = new ReviewReader(vocabulary, model);
  const aspects = new SetScore();
  const people = new SetScore();
  const services = new SetScore();
  const areas = new SetScore();
  const judgements: { gold: Sentiment; said: Sentiment; item: GoldItem }[] = [];
  const readings = new Map(
    items.map((item) => [item.id, reader.read({ ...item, title: null, rating: item.stars })]),
  );
  const labeled = applyAnnotations(items, readings, annotations ?? [], vocabulary);
  for (const item of items) {
    const labels = labeled.get(item.id)!;
    const said = new Map(labels.aspects.map(({ id, sentiment }) => [id, sentiment]));
    // The set has no labels of the business as a whole.
    said.delete(OVERALL_ASPECT);
    aspects.add(Object.keys(item.aspects), [...said.keys()]);
    people.add(item.technicians, labels.technicians);
    services.add(item.services, labels.services);
    areas.add(item.service_areas, labels.service_areas);
    for (const [id, gold] of Object.entries(item.aspects)) {
      const sentiment = said.get(id);
      if (sentiment) judgements.push({ gold, said: sentiment, item });
    }
  }
  const stars = judgements.map(({ gold, item }) => ({
    gold,
    said: PEERS['stars only']!('', item.stars),
  }));
  return [
    atLeast(`${name}: aspect precision`, 'gold', aspects.precision, 0.9),
    atLeast(`${name}: aspect recall`, 'gold', aspects.recall, 0.8),
    atLeast(`${name}: polarity accuracy`, 'gold', accuracy(judgements), 0.82),
    atLeast(`${name}: polarity macro-F1`, 'gold', macroF1(judgements), 0.75),
    atLeast(
      `${name}: points over stars`,
      'stars only',
      accuracy(judgements) - accuracy(stars),
      0.05,
    ),
    atLeast(`${name}: technician precision`, 'gold', people.precision, 0.98),
    atLeast(`${name}: technician recall`, 'gold', people.recall, 0.9),
    atLeast(`${name}: service precision`, 'gold', services.precision, 0.98),
    atLeast(`${name}: service recall`, 'gold', services.recall, 0.9),
    atLeast(`${name}: area precision`, 'gold', areas.precision, 0.98),
    atLeast(`${name}: area recall`, 'gold', areas.recall, 0.9),
  ];
}
