import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AspectFinder } from '../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';

const lexicon = sentimentLexicon({ words: {}, phrases: {} });
const finder = new AspectFinder([{ id: 'manner', terms: ['rude', 'polite', 'barked'] }]);
const found = (text: string) => finder.find(readText(text, lexicon)).length;

test('what is said of somebody else is not said of this business', () => {
  assert.equal(found('The last company was rude.'), 0);
  assert.equal(found('Other plumbers were rude, these were polite.'), 1);
  assert.equal(found('The plumber we had before them was rude.'), 0);
  assert.equal(found('Our dog barked.'), 0);
});

test('somebody else who is not the subject takes nothing away', () => {
  assert.equal(found('They were so rude that I called another company.'), 1);
  assert.equal(found('The company was polite.'), 1);
  assert.equal(found('The plumber was rude.'), 1);
});
