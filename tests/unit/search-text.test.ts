import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewLines } from '../../src/dataset/document.ts';
import type { SearchResult } from '../../src/schema/search.ts';
import { countAnswer, searchAnswer } from '../../src/search/result.ts';
import { atOnce } from '../../src/search/pieces.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { searchView } from '../../src/search/search-view.ts';
import { contains } from '../support/naive-search.ts';
import { linesOf, review } from '../support/reviews.ts';

/** Texts with difficult word boundaries, case and Unicode forms. */
const NASTY = [
  null,
  '',
  ' ',
  'a',
  'Café au lait',
  'Cafe\u0301 au lait',
  'ÑANDÚ ñandu\u0301',
  'Great job 👍🏽!',
  'Family 👨‍👩‍👧‍👦 of plumbers',
  '👨‍👩‍👧‍👦',
  'flag 🇲🇽🇺🇸 flag',
  'İSTANBUL ve ısı',
  'ΟΔΟΣ Οδυσσεύς ΣΑΣ',
  'Straße STRASSE ẞ',
  "Don't won't 'quoted' rock 'n' roll",
  'Don’t ‘quoted’',
  '水漏れをすぐに直してくれました。ありがとう！',
  '管道工很快就来了，非常专业',
  '한글 배관공',
  '!!!',
  '...',
  '?!?! ... --',
  'tab\there',
  'line\nbreak\r\nand another\n\nparagraph',
  'two  spaces   three',
  ' leading and trailing ',
  `${'x'.repeat(5000)}y`,
  `${'ab'.repeat(300)} ${'ba'.repeat(300)}`,
  'the the the theatre',
  'Price: $1,250.50 (incl. 7% tax)',
  'e-mail me@x.example, 24/7',
  'ﬁne ﬂow Ⅷ ½ ²',
  'Z͑͗alg̵̛o t̴e̸x̷t',
  'אבג שלום',
  'שָׁלוֹם',
  '\u200bzero\u200bwidth\u200d',
  'soft\u00adhyphen no\u00a0break',
  '𝒮cript 𐐀𐐨 deseret',
  '\u0301 lone mark',
  'Sooooo goooood, sleeeepless',
  "y'all'd've John's couldn't, o'clock",
  "We've they'll you’re I'm he'd o'didn't n't 'tis",
  'good cafe re-email email sleep the-rapist 12s',
  'C++17 abc+def2 A+bcd',
  '家abc123家xyz789',
  'waﬄe wa\u00adter\u200bfalls',
  'x1y2z3 3.5kWh',
  '\ud83d lone half',
];

/** Patterns for every index, besides pieces of the texts themselves. */
const PATTERNS = [
  ['a', ' ', '.', 'é', 'e\u0301', '\u0301', '👍', '🏽', '\u200d', '👨', 'i', 'İ', 'i\u0307', 'ı'],
  ['σ', 'ς', 'Σ', 'ΟΔΟΣ', 'ss', 'ß', "'", '’', "n't w", "' r", "'n'", '。', 'れ', '很快'],
  ['!', '!!', '.. ', ' .', '\t', '\n', '\r\n', '\n\n', '  ', '   ', '    ', ' and '],
  [' leading', 'trailing ', 'the', 'the the', ' the ', 'the thea', 'b b', 'xxxy', 'x'.repeat(200)],
  ['$1,250.50 (', '7%', '/', 'absent', 'ab absent', 'zz', 'qq!', 'v', 'au  lait'],
  ['\u00ad', '\u00a0', '\u00a0b', '\ud83d', '𐐨 d'],
].flat();

/** Returns the positions of the texts with a pattern, according to the index. */
function matchingOf(texts: readonly (string | null)[]): (pattern: string) => number[] {
  const index = new SearchIndex(linesOf(texts.map((text) => review({ text }))), {});
  return (query) => index.search({ query, limit: texts.length }).positions;
}

function filterOf(texts: readonly (string | null)[], pattern: string): number[] {
  return texts.flatMap((text, position) => (contains(text, pattern) ? [position] : []));
}

/** Returns every piece of up to six UTF-16 units, and some long ones. */
function piecesOf(text: string): string[] {
  const short = Array.from({ length: Math.min(text.length, 60) }, (_, at) =>
    [1, 2, 3, 4, 6].map((length) => text.slice(at, at + length)),
  ).flat();
  return [...short, text.slice(1, 40), text.slice(-20), text].filter((piece) => piece !== '');
}

test('finds all pieces of nasty texts', () => {
  const match = matchingOf(NASTY);
  const pieces = NASTY.flatMap((text) => (text === null ? [] : piecesOf(text)));
  for (const pattern of new Set([...PATTERNS, ...pieces].map((piece) => piece.slice(0, 200)))) {
    assert.deepEqual(match(pattern), filterOf(NASTY, pattern), JSON.stringify(pattern));
  }
});

test('compares complete characters: half of a pair or a mark alone finds nothing', () => {
  const match = matchingOf(['tap 👍🏽!', 'Cafe\u0301', 'CAFÉ', 'İzmir', 'half \ud83d']);
  assert.deepEqual(match('👍'), [0]);
  assert.deepEqual(match('\udc4d'), [4], 'both are the replacement character');
  assert.deepEqual(match('\ud83d!'), []);
  assert.deepEqual(match('é'), [1, 2]);
  assert.deepEqual(match('E\u0301'), [1, 2]);
  assert.deepEqual(match('fe'), []);
  assert.deepEqual(match('\u0301'), []);
  assert.deepEqual(match('i\u0307z'), [3]);
  assert.deepEqual(match('iz'), []);
});

test('needs nothing that a browser lacks', () => {
  const texts = ['Café au lait', 'a tap', null];
  const { bytes } = linesOf(texts.map((text) => review({ text })));
  const lines = reviewLines(Uint8Array.from(bytes));
  const node = { Buffer: globalThis.Buffer, process: globalThis.process };
  try {
    Object.assign(globalThis, { Buffer: undefined, process: undefined });
    const index = new SearchIndex(lines, {});
    const filters = { query: 'CAFÉ', limit: 5 };
    const bytes = searchAnswer(lines, filters, index.search(filters), []);
    const answer = JSON.parse(new TextDecoder().decode(bytes)) as SearchResult;
    assert.deepEqual([answer.matched, answer.reviews[0]!.text], [1, 'Café au lait']);
    assert.deepEqual(atOnce(index.rankInPieces({ query: 'tap' }, 5)).positions, [1]);
    const counted = atOnce(countAnswer(index, { group_by: ['rating'], examples: 1 }, []));
    assert.equal(counted.total, 3);
    const view = searchView(new URLSearchParams('query=cafx'), index);
    assert.equal(view.found?.matched, 0);
  } finally {
    Object.assign(globalThis, node);
  }
});

test('a quote of a group is the sentence that the words of a query were found in', () => {
  const text = 'We came by train. They canceled our policies at once. It was raining.';
  const index = new SearchIndex(linesOf([review({ text })]), {});
  const filters = { query: 'cancel policy', match: 'words', examples: 1 } as const;
  const { groups } = atOnce(countAnswer(index, filters, []));
  assert.equal(groups[0]!.examples![0]!.quote, 'They canceled our policies at once.');
});
