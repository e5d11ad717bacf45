import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PerReview, Sentiment } from '../../src/schema/insights.ts';
import { markedPieces } from '../../src/view/matches.ts';
import { quoteMarks } from '../../src/view/reading.ts';

const findQuotes = (text: string, reading: Pick<PerReview, 'aspects'>) =>
  markedPieces(text, quoteMarks({ text }, reading));

const about = (sentiment: Sentiment, quote: string | null): PerReview['aspects'][number] => {
  return { id: 'pricing', sentiment, score: 0, quote, alone: true };
};

const TEXT = 'Fair price. Late again! Fair price.';

test('marks each quote with its side; joined, the pieces are the text', () => {
  const aspects = [about('negative', 'Late again!'), about('positive', 'Fair price.')];
  const pieces = findQuotes(TEXT, { aspects });
  assert.equal(pieces.map(({ text }) => text).join(''), TEXT);
  const marked = pieces.filter(({ matched }) => matched);
  const sides = marked.map(({ text, sentiment }) => `${sentiment}: ${text}`);
  assert.deepEqual(sides, ['positive: Fair price.', 'negative: Late again!']);
});

test('marks the longer of overlapping quotes, and criticism before a mere mention', () => {
  const aspects = [about('neutral', 'Late again!'), about('negative', 'Late again!')];
  const [, marked] = findQuotes(TEXT, { aspects });
  assert.deepEqual([marked!.text, marked!.sentiment], ['Late again!', 'negative']);
  const nested = [about('positive', 'Fair'), about('neutral', 'Fair price. Late')];
  assert.equal(findQuotes(TEXT, { aspects: nested })[0]!.text, 'Fair price. Late');
});

test('a text without quotes is one piece, and no text is none', () => {
  for (const aspects of [[about('neutral', null)], [about('positive', 'of the title')]]) {
    assert.deepEqual(findQuotes(TEXT, { aspects }), [{ text: TEXT, matched: false }]);
  }
  assert.deepEqual(findQuotes('', { aspects: [] }), []);
});
