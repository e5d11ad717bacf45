import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PACKS, type PackName } from '../../src/schema/trade.ts';
import { readingsOf, wordsOf } from '../support/engine.ts';
import { ROOT } from '../support/fixtures.ts';

/** Low reviews that name people whom no list has. */
const NAMING = JSON.parse(
  readFileSync(join(ROOT, 'tests/fixtures/languages/strangers.json'), 'utf8'),
) as [language: string, pack: PackName, rating: number, text: string][];
const NAMES =
  /Ottili|Tiberi|Wilhelmin|Anselm|ANSELM|Bernadetta|Ignatius|Quillfeather|Quibert|Jago|Leocadia|Fulgencio|Hope|Mark/;

for (const pack of PACKS) {
  const written = NAMING.filter(([, named]) => named === pack).map(
    ([language, , rating, text]) => ({ language, rating, text }),
  );
  if (written.length === 0) continue;
  test(`nothing that is quoted of a low review names a stranger: ${pack}`, async () => {
    for (const reading of readingsOf(await wordsOf(pack), written)) {
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
  const rude = [
    'Toiletries were dirty and the staff was rude.',
    'The staff in Trieste was rude.',
    'The staff was rude and the Google reviews were fake.',
  ].map((text) => ({ text, rating: 1 }));
  const readings = readingsOf(await wordsOf('hotel'), [...rude, { text: 'Lovely toiletries.' }]);
  for (const { aspects } of readings.slice(0, 3)) {
    assert.ok(aspects.every(({ quote }) => quote !== null));
  }
});
