import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OVERALL, readPack } from '../../src/content/read-pack.ts';
import { readReviews } from '../../src/insights/analyze/review-reader.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import { PACKS, type PackName } from '../../src/schema/trade.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';
import { ROOT } from '../support/fixtures.ts';
import { record, ulidOf } from '../support/reviews.ts';

/** Low reviews that name people whom no list has. */
const NAMING = JSON.parse(
  readFileSync(join(ROOT, 'tests/fixtures/languages/strangers.json'), 'utf8'),
) as [language: string, pack: PackName, rating: number, text: string][];
const NAMES =
  /Ottili|Tiberi|Wilhelmin|Anselm|ANSELM|Bernadetta|Ignatius|Quillfeather|Quibert|Jago|Leocadia|Fulgencio|Hope|Mark/;

type Written = readonly [language: string, rating: number, text: string];

async function readAll(pack: PackName, written: readonly Written[]): Promise<PerReview[]> {
  const { aspects, topics, problems, lexicon, trade } = await readPack(pack);
  const lists = vocabulary({ aspects: [...aspects, OVERALL], topics, problems });
  const reviews = written.map(([language, rating, text], at) =>
    record({ id: ulidOf(at), language, rating, text }),
  );
  const words = { ...lists, lexicon, trade };
  return [...readReviews(reviews, { vocabulary: words, weights: WEIGHTS }).values()];
}

for (const pack of PACKS) {
  const written = NAMING.filter(([, named]) => named === pack).map(
    ([language, , rating, text]): Written => [language, rating, text],
  );
  if (written.length === 0) continue;
  test(`nothing that is quoted of a low review names a stranger: ${pack}`, async () => {
    for (const reading of await readAll(pack, written)) {
      const { aspects, phrases, passages } = reading;
      assert.ok(aspects.length > 0);
      const quoted = [...aspects, ...phrases, ...passages].map((one) =>
        'quote' in one ? one.quote : one.text,
      );
      assert.doesNotMatch(quoted.join(' '), NAMES);
    }
  });
}

test('a word that some review writes small is no name, and neither is a place or a platform', async () => {
  const readings = await readAll('hotel', [
    ['en', 1, 'Toiletries were dirty and the staff was rude.'],
    ['en', 1, 'The staff in Trieste was rude.'],
    ['en', 1, 'The staff was rude and the Google reviews were fake.'],
    ['en', 5, 'Lovely toiletries.'],
  ]);
  for (const { aspects } of readings.slice(0, 3)) {
    assert.ok(aspects.every(({ quote }) => quote !== null));
  }
});
