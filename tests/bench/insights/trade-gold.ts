import { OVERALL, readPack } from '../../../src/content/read-pack.ts';
import type { PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import { ReviewReader } from '../../../src/insights/analyze/review-reader.ts';
import { PACKS, type PackName } from '../../../src/schema/trade.ts';
import type { Technician, Vocabulary } from '../../../src/schema/vocabulary.ts';
import { atLeast, type Row } from '../report.ts';
import { readTrades, type Half, type TradeItem } from './gold.ts';
import { SetScore } from './scores.ts';

/** Names that are also words; an owner marks them as ambiguous. */
const WORDS = new Set(
  (
    'Amber Angel April Art Bill Carol Chase Chuck Crystal Dale Dawn Dean Drew Eve Faith Frank Gene ' +
    'Glen Grace Grant Guy Hope Ivy Jack Joy June Lily Mark May Nick Pat Pearl Penny Ray Rich Rob ' +
    'Rose Ruby Sue Summer Violet Will'
  ).split(' '),
);

/**
 * Measures how well the packs find the aspects of eight trades, and how well the names of all staff
 * are found in all reviews. What the readers disputed counts neither way.
 */
export async function tradeGold(half: Half, model: PolarityModel): Promise<Row[]> {
  const items = readTrades(half);
  const names = [...new Set(items.flatMap(({ people }) => people))];
  const total = { aspects: new SetScore(), people: new SetScore() };
  const rows: Row[] = [];
  for (const trade of PACKS) {
    const reader = new ReviewReader(await vocabularyOf(trade, names), model);
    const aspects = new SetScore();
    for (const item of items.filter((one) => one.trade === trade)) {
      const labels = reader.read({ title: null, text: item.text, rating: item.stars });
      const gold = aspectsOf(item.mentions);
      const disputed = aspectsOf(item.disputed);
      const said = labels.aspects.map(({ id }) => id);
      const counted = said.filter((id) => gold.includes(id) || !disputed.includes(id));
      for (const score of [aspects, total.aspects]) score.add(gold, counted);
      total.people.add(
        item.people,
        labels.technicians.map((id) => names[Number(id)]!),
      );
    }
    const { precision, recall } = aspects;
    const note = `recall ${recall.toFixed(2)}`;
    rows.push(atLeast(`trades, ${half}: aspect precision, ${trade}`, 'gold', precision, 0.9, note));
  }
  const f1 = `F1 ${total.aspects.f1.toFixed(2)}; of the two readers ${agreement(items).toFixed(2)}`;
  return [
    ...rows,
    atLeast(`trades, ${half}: aspect precision`, 'gold', total.aspects.precision, 0.9, f1),
    atLeast(`trades, ${half}: aspect recall`, 'gold', total.aspects.recall, 0.8),
    atLeast(`trades, ${half}: person precision`, 'gold', total.people.precision, 0.98),
    atLeast(`trades, ${half}: person recall`, 'gold', total.people.recall, 0.9),
  ];
}

/** Returns the F1 of the aspects that one reader found in each review, by those of the other. */
function agreement(items: readonly TradeItem[]): number {
  let both = 0;
  let alone = 0;
  for (const { mentions, disputed } of items) {
    const shared = aspectsOf(mentions);
    both += shared.length;
    alone += aspectsOf(disputed).filter((id) => !shared.includes(id)).length;
  }
  return (2 * both) / (2 * both + alone);
}

function aspectsOf(mentions: TradeItem['mentions']): string[] {
  return [...new Set(mentions.map(({ aspect }) => aspect))];
}

/** Returns the words of a pack, with people whose ids are the places of their names. */
async function vocabularyOf(trade: PackName, names: readonly string[]): Promise<Vocabulary> {
  const { aspects, topics, problems, lexicon, trade: nouns } = await readPack(trade);
  const technicians = names.map((name, at): Technician => {
    return { id: String(at), name, aliases: [], ambiguous: WORDS.has(name) ? [name] : [] };
  });
  return {
    aspects: [...aspects, OVERALL],
    topics,
    problems,
    lexicon,
    trade: nouns,
    technicians,
    services: [],
    service_areas: [],
  };
}
