import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PACKS } from '../../src/schema/trade.ts';
import { readingsOf, vocabulary, wordsOf } from '../support/engine.ts';
import { ROOT } from '../support/fixtures.ts';

/** Sentences by language that mention nothing, with words that mean something in other languages. */
const SILENT = JSON.parse(
  readFileSync(join(ROOT, 'tests/fixtures/languages/false-friends.json'), 'utf8'),
) as Record<string, string[]>;

for (const name of PACKS) {
  test(`words of one language count in no other: ${name}`, async () => {
    const reviews = Object.entries(SILENT).flatMap(([language, texts]) =>
      texts.map((text) => ({ language, text, rating: 3 })),
    );
    assert.ok(reviews.length > 150);
    const readings = readingsOf(await wordsOf(name), reviews);
    const wrong = reviews.flatMap(({ text }, at) => {
      const { aspects, topics, problems } = readings[at]!;
      const found = [...aspects.map((aspect) => aspect.id), ...topics, ...problems];
      return found.length > 0 ? [`${text} ${found.join(', ')}`] : [];
    });
    assert.ok(wrong.length <= reviews.length / 100, wrong.join('\n'));
  });
}

test('a word of an owner counts in every language, a word of a language only there', () => {
  const terms = ['gondola'];
  const aspect = { id: 'rides', label: 'Rides', terms, phrases: [], subjects: [], exclude: [] };
  const forms = { terms: ['barca'], phrases: [], subjects: [], exclude: [] };
  const rides = { ...aspect, languages: { es: forms }, yields_to: [] };
  const words = vocabulary({ aspects: [rides] });
  const languagesWith = (text: string) =>
    ['en', 'es', 'fr'].filter(
      (language) => readingsOf(words, [{ language, text }])[0]!.aspects.length > 0,
    );
  assert.deepEqual(languagesWith('Gondola.'), ['en', 'es', 'fr']);
  assert.deepEqual(languagesWith('Barca.'), ['es']);
});

test('a problem that is denied, elsewhere or was not so is none', () => {
  const words = vocabulary({ problems: [{ id: 'mess', label: 'Mess', aliases: ['no tidiness'] }] });
  const texts = [
    'They left a mess.',
    'No tidiness at all.',
    'There was no mess.',
    'They never left a mess.',
    'The last plumber left a mess.',
    'People say they leave a mess.',
  ];
  const reviews = texts.map((text) => ({ text }));
  const readings = readingsOf(words, reviews);
  const found = readings.map(({ problems }) => problems.length);
  assert.deepEqual(found, [1, 1, 0, 0, 0, 0]);
});
