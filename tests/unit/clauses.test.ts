import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AspectFinder } from '../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';
import { readPack } from '../../src/content/read-pack.ts';
import { PACKS } from '../../src/schema/trade.ts';
import { TRADE } from '../support/engine.ts';

const lexicon = sentimentLexicon({ words: {}, phrases: {} }, [], TRADE);
const finder = new AspectFinder([{ id: 'manner', terms: ['rude', 'polite', 'barked'] }]);
const found = (text: string) => finder.find(readText(text, lexicon)).length;

test('an opinion of another business is no opinion of this one', () => {
  assert.equal(found('The last company was rude.'), 0);
  assert.equal(found('Other plumbers were rude, these were polite.'), 1);
  assert.equal(found('The plumber we had before them was rude.'), 0);
  assert.equal(found('Our dog barked.'), 0);
  assert.equal(found('Unlike other plumbers, who are rude, they listen.'), 0);
  assert.equal(found('I had a rude experience with another plumber, but not here.'), 0);
});

test('another business that is not the subject takes no opinion away', () => {
  assert.equal(found('They were so rude that I called another company.'), 1);
  assert.equal(found('The company was polite.'), 1);
  assert.equal(found('The plumber was rude.'), 1);
});

test('an occasion of this business is its own, and so are people whom it sent', () => {
  assert.equal(found('My last appointment was polite.'), 1);
  assert.equal(found('The last plumber they sent was rude.'), 1);
  assert.equal(found('The last company visit was rude.'), 1);
});

/** Sentences about other businesses, with a noun of each trade in place of `#`. */
const OF_OTHERS = [
  'My last # was rude.',
  'Our previous # was rude to us.',
  'Other # were rude.',
  'The other local # was never polite.',
  'The last # was terrible and the people were rude.',
  'Another # was rude about it.',
  'Most other # are rude.',
  'The old # we used was rude.',
  'A different # was rude last year.',
  'My former # was always rude.',
  'The first # I called was rude.',
  'All the other # are rude, believe me.',
];

for (const name of PACKS) {
  test(`the shortcomings of others are not those of this business, in the words of ${name}`, async () => {
    const { trade } = await readPack(name);
    const own = sentimentLexicon({ words: {}, phrases: {} }, [], trade);
    const [noun] = trade.businesses;
    for (const text of [
      ...OF_OTHERS.map((sentence) => sentence.replace('#', noun!)),
      ...trade.businesses.map((each) => OF_OTHERS[0]!.replace('#', each)),
    ]) {
      assert.equal(finder.find(readText(text, own)).length, 0, text);
    }
    assert.equal(finder.find(readText(`This ${noun} was rude.`, own)).length, 1);
  });
}
