import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import type { PerReview, Sentiment } from '../../src/schema/insights.ts';
import type { JournalEntry } from '../../src/schema/journal.ts';
import { changeText as changeIn, findQuotes } from '../../src/view/reading.ts';

const changeText = (...[change, earlier]: [JournalEntry, JournalEntry | undefined]) =>
  changeIn(change, earlier, wordingOf());

const about = (sentiment: Sentiment, quote: string | null): PerReview['aspects'][number] => ({
  id: 'pricing',
  sentiment,
  score: 0,
  quote,
  alone: true,
});

const TEXT = 'Fair price. Late again! Fair price.';

test('marks each quote with its side; joined, the pieces are the text', () => {
  const aspects = [about('negative', 'Late again!'), about('positive', 'Fair price.')];
  const pieces = findQuotes(TEXT, { aspects });
  assert.equal(pieces.map(({ text }) => text).join(''), TEXT);
  assert.deepEqual(
    pieces.filter(({ matched }) => matched).map(({ text, sentiment }) => [text, sentiment]),
    [
      ['Fair price.', 'positive'],
      ['Late again!', 'negative'],
    ],
  );
});

test('marks the longer of overlapping quotes, and criticism before a mere mention', () => {
  const aspects = [about('neutral', 'Late again!'), about('negative', 'Late again!')];
  const [, marked] = findQuotes(TEXT, { aspects });
  assert.deepEqual([marked!.text, marked!.sentiment], ['Late again!', 'negative']);
  const nested = [about('positive', 'Fair'), about('neutral', 'Fair price. Late')];
  assert.equal(findQuotes(TEXT, { aspects: nested })[0]!.text, 'Fair price. Late');
});

test('a text without quotes is one piece, and no text is none', () => {
  assert.deepEqual(findQuotes(TEXT, { aspects: [about('neutral', null)] }), [
    { text: TEXT, matched: false },
  ]);
  assert.deepEqual(findQuotes('', { aspects: [] }), []);
  const elsewhere = [about('positive', 'of the title')];
  assert.deepEqual(findQuotes(TEXT, { aspects: elsewhere }), [{ text: TEXT, matched: false }]);
});

test('says of each change what became of the review', () => {
  const change = (change: JournalEntry['change'], more: Partial<JournalEntry> = {}) =>
    ({ seq: 1, change, ...more }) as JournalEntry;
  const added = change('added');
  const reply = 'f'.repeat(16);
  assert.equal(changeText(added, undefined), 'Published here');
  assert.equal(changeText(added, change('withdrawn')), 'Published again');
  assert.equal(changeText(change('edited'), added), 'Edited');
  assert.equal(changeText(change('replied', { reply }), added), 'Reply from the business added');
  assert.equal(
    changeText(change('replied', { reply }), change('replied', { reply })),
    'Reply from the business changed',
  );
  assert.equal(
    changeText(change('replied'), change('replied', { reply })),
    'Reply from the business removed',
  );
  assert.match(changeText(change('withdrawn', { reason: 'legal' }), added), /^Withdrawn: a court/);
});
