import { ReviewReader } from '../../../src/insights/analyze/review-reader.ts';
import type { PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import { OVERALL_ASPECT, type Vocabulary } from '../../../src/schema/vocabulary.ts';
import { atLeast, type Row } from '../report.ts';
import { readGold, type GoldItem, type Half } from './gold.ts';
import { PEERS } from './peers.ts';
import { accuracy, macroF1, SetScore } from './scores.ts';

/** Measures the project's gold set; the goals apply to the half kept aside. */
export function ownGold(
  set: 'plain' | 'hard',
  half: Half,
  vocabulary: Vocabulary,
  model: PolarityModel,
): Row[] {
  const name = `${set}, ${half}`;
  const reader = new ReviewReader(vocabulary, model);
  const aspects = new SetScore();
  const people = new SetScore();
  const services = new SetScore();
  const areas = new SetScore();
  const judgements: { gold: Sentiment; said: Sentiment; item: GoldItem }[] = [];
  for (const item of readGold(set, half)) {
    const labels = reader.read({ ...item, title: null, rating: item.stars });
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
  const over = accuracy(judgements) - accuracy(stars);
  return [
    atLeast(`${name}: aspect precision`, 'gold', aspects.precision, 0.9),
    atLeast(`${name}: aspect recall`, 'gold', aspects.recall, 0.8),
    atLeast(`${name}: polarity accuracy`, 'gold', accuracy(judgements), 0.82),
    atLeast(`${name}: polarity macro-F1`, 'gold', macroF1(judgements), 0.75),
    atLeast(`${name}: points over stars`, 'stars only', over, 0.05),
    atLeast(`${name}: technician precision`, 'gold', people.precision, 0.98),
    atLeast(`${name}: technician recall`, 'gold', people.recall, 0.9),
    atLeast(`${name}: service precision`, 'gold', services.precision, 0.98),
    atLeast(`${name}: service recall`, 'gold', services.recall, 0.9),
    atLeast(`${name}: area precision`, 'gold', areas.precision, 0.98),
    atLeast(`${name}: area recall`, 'gold', areas.recall, 0.9),
  ];
}
