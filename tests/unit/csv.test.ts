import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import {
  CSV_COLUMNS,
  csvLines,
  guardCell,
  unguardCell,
  toRow,
} from '../../src/resources/reviews-csv.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import type { Review } from '../../src/schema/review.ts';
import { NO_LABELS, review } from '../support/reviews.ts';

const LABELS: PerReview = {
  ...NO_LABELS,
  aspects: [
    { id: 'price', sentiment: 'negative', score: -1, quote: null, alone: false },
    { id: 'punctuality', sentiment: 'positive', score: 1, quote: null, alone: false },
  ],
  technicians: ['tom-hale', 'ana'],
  topics: ['booking'],
};

/** Writes one review, and reads its row again as a spreadsheet would. */
function rowOf(changes: Partial<Review>): Record<string, string> {
  const one = review(changes);
  const csv = [...csvLines([one], { per_review: { [one.id]: LABELS } })].join('');
  const [row, ...others] = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
  assert.equal(others.length, 0);
  return row!;
}

test('a row has every column, guarded, lists with semicolons, and nothing for null', () => {
  const row = rowOf({ title: null, owner_reply: { text: '=1+1', date: '2026-03-02' } });
  assert.deepEqual(Object.keys(row), Object.keys(CSV_COLUMNS));
  assert.deepEqual([row.title, row.reply, row.topics], ['', "'=1+1", 'booking']);
  assert.equal(row.aspects, 'price:negative;punctuality:positive');
  assert.equal(row.technicians, 'tom-hale;ana');
});

test('quotes, separators and line breaks stay in their cell', () => {
  const texts = ['a,b', 'say "hi"', 'two\nlines', 'two\r\nlines', '"', ',', 'a;b', ' blank '];
  for (const text of texts) assert.equal(rowOf({ text }).text, text);
  assert.equal(toRow([' blank ']), '" blank "\r\n'); // or some programs take its blanks off
});

test('an ordinary text is written as it is', () => {
  for (const text of ["'quoted' words", 'Tom - the best', '5 stars', "'90s charm", '–', '']) {
    assert.equal(guardCell(text), text);
    assert.equal(unguardCell(text), text);
  }
});

const FORMULAS = [
  ...'=1+1|-1|@SUM(A1)| =1+1|"=1+1"|"" @x|=cmd|＝1+1|fine;=1+1;'.split('|'),
  '\r=1+1',
  '\tplain',
  `'=1+1`,
  'fine\n=1+1',
  'fine\t@x',
];

test('no cell begins like a formula, and every text comes back from it', () => {
  const piece = fc.constantFrom(...`'"=+-@\t\r\n a＝;`);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      const guarded = guardCell(text);
      assert.equal(unguardCell(guarded), text);
      assert.doesNotMatch(guarded, /^[\t\r\n]/);
      assert.doesNotMatch(guarded, /(^|[;\t\r\n])[\s"]*[=+\-@＝＋－＠]/);
    }),
    { examples: FORMULAS.map((text) => [[text]]) },
  );
});
