import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  escapeInvisible,
  invisibleCharacters,
  withoutInvisible,
} from '../../src/schema/invisible.ts';

/** Texts, and what is left of those that lose characters, and how many. */
const TEXTS: [what: string, text: string, left?: string, removed?: number][] = [
  ['a family joined of emoji', 'Thanks 👨‍👩‍👧!'],
  ['a flag with a joiner', '🏳️‍🌈'],
  ['a joiner after a skin tone', '🧑🏽‍🔧 came'],
  ['emoji with variation selectors', '❤️ and ☎︎ and 1️⃣'],
  ['the flag of Wales, written with tags', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['a non-joiner in Persian', 'می‌خواهم'],
  ['joiners in Devanagari and Malayalam', 'क्‍ष നന്‍'],
  ['direction marks in Hebrew', 'שירות \u200fטוב\u200e (A+)'],
  ['zero-width spaces in Thai', 'บริการ\u200bดี'],
  ['a variant of a Han character', '葛\u{e0100}飾区'],
  ['tabs and line feeds', 'One.\n\tTwo.'],
  ['control characters', 'Bell\u0007 null\0 del\u007f c1\u0085', 'Bell null del c1', 4],
  ['bidi overrides and isolates', '\u202egnihton\u202c \u2066a\u2069', 'gnihton a', 4],
  ['zero-width spaces in Latin words', 'plu\u200bmb\u2060er\ufeff', 'plumber', 3],
  ['joiners between Latin letters', 'plu\u200dmb\u200cer', 'plumber', 2],
  ['direction marks without right-to-left text', 'a\u200eb\u200f', 'ab', 2],
  ['hidden words in tag characters', 'Good\u{e0068}\u{e0069}', 'Good', 2],
  ['tags that make no known flag', '🏴\u{e0068}\u{e0069}\u{e007f}', '🏴', 3],
  ['bytes hidden in variation selectors', 'a\u{e0150}\u{e0151}\ufe00', 'a', 3],
  ['a second selector after an emoji', '❤\ufe0f\ufe0f\ufe0f', '❤\ufe0f', 2],
  ['all but one of a run of joiners', '👨\u200d\u200d\u200d👩', '👨\u200d👩', 2],
  ['code points that are no characters', 'a\ufffe\ufdd0\u{10ffff}b', 'ab', 3],
  ['blank letters', '\u3164\u115f', '', 2],
];
for (const [what, text, left = text, removed = 0] of TEXTS) {
  test(`${removed === 0 ? 'keeps' : 'removes'} ${what}`, () =>
    assert.deepEqual(withoutInvisible(text), { text: left, removed }));
}

test('escapes what a terminal would obey or hide, and no line break', () => {
  const text = '\u001b]0;owned\u0007 \u009b2J \u202egnihton\n👨‍👩‍👧\tok';
  const shown = String.raw`\u{1B}]0;owned\u{7} \u{9B}2J \u{202E}gnihton`;
  assert.equal(escapeInvisible(text), `${shown}\n👨‍👩‍👧\tok`);
});

const visible = (text: string) => text.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '');

test('leaves nothing that it would remove again, and removes nothing visible', () => {
  const character = fc.oneof(
    fc.constantFrom(...'aé1❤👨🏴葛क्மשم\u200b\u200c\u200d\u200e\u200f\u202e\ufe0f\ufe00\u{e0067}'),
    fc.constantFrom('\u{e0062}', '\u{e007f}', '\u{e0100}', '\u0007', '\u00ad', '🏽', 'ไ', '\u061c'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const text = characters.join('').toWellFormed();
      const cleaned = withoutInvisible(text);
      assert.deepEqual(invisibleCharacters(cleaned.text), []);
      const noCharacters = text.replaceAll(/[\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu, '');
      assert.equal(visible(cleaned.text), visible(noCharacters));
    }),
    { numRuns: 100 },
  );
});
