import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import { coverageText, drawsBar, phrasesLabel } from '../../src/view/reading-coverage.ts';

const NONE =
  '0 of 3 reviews were read; 3 count by their stars only. Words count from 20 reviews of a language on.';

const coverage = (read: number, unread: number, silent = 0) => ({
  read_count: read,
  stars_only_count: unread + silent,
  without_words_count: silent,
  languages: [
    { language: 'de', review_count: unread, read_count: 0 },
    { language: 'en', review_count: read, read_count: read },
  ],
});

test('says which reviews were read and which count by their stars', () => {
  const text = (...counts: Parameters<typeof coverage>) =>
    coverageText(coverage(...counts), wordingOf());
  assert.equal(text(90, 0), 'All 90 reviews were read.');
  const some = '8 of 90 reviews are in English and were read; 82 count by their stars only.';
  assert.equal(text(8, 82), some);
  const one = '1 of 2 reviews is in English and was read; 1 counts by its stars only.';
  assert.equal(text(1, 1), one);
  assert.match(text(0, 20, 4), /only\.$/);
  assert.equal(text(0, 3), NONE);
});

test('says which reviews are quoted, but are in no share', () => {
  const language = { language: 'de', review_count: 3, read_count: 0, quoted_count: 2 };
  assert.equal(
    coverageText({ ...coverage(0, 3), languages: [language] }, wordingOf()),
    `${NONE} Of these, 2 in German are quoted where words and stars agree; no share is counted of such reviews, because their criticism is often not recognized.`,
  );
});

test('draws no bar of fewer than five opinions, nor where under a third was read', () => {
  assert.ok(drawsBar(5, coverage(10, 20)));
  assert.ok(!drawsBar(4, coverage(10, 0)));
  assert.ok(!drawsBar(50, coverage(10, 21)));
  assert.ok(drawsBar(5, coverage(10, 0, 100)));
});

test('says "often" from three reviews on', () => {
  const aspect = { positive_count: 3, negative_count: 2 } as Parameters<typeof phrasesLabel>[0];
  assert.equal(phrasesLabel(aspect, 'positive', wordingOf()), 'Often praised');
  assert.equal(phrasesLabel(aspect, 'negative', wordingOf()), 'Criticized');
});
