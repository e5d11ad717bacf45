import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withheldFew } from '../../src/insights/aggregate/coverage.ts';
import { readReviews } from '../../src/insights/analyze/review-reader.ts';
import { insightsOf, vocabulary, WEIGHTS } from '../support/engine.ts';
import { record, ulidOf } from '../support/reviews.ts';

const forms = (...terms: string[]) => ({ terms, phrases: [], subjects: [], exclude: [] });
const STAFF = { en: forms('staff'), fr: forms('personnel') };
const words = vocabulary({
  technicians: [{ id: 'luis', name: 'Luis Ortega', aliases: ['Luis'] }],
  aspects: [{ id: 'staff', label: 'Staff', ...forms(), languages: STAFF }],
  topics: [
    { id: 'pets', label: 'Pets', terms: [], languages: { en: { terms: ['dog'], exclude: [] } } },
  ],
});
const TEXTS: Readonly<Record<string, string>> = {
  en: 'The staff is excellent, and Luis liked our dog.',
  fr: 'Le personnel est excellent.',
  de: 'Das Personal ist gut.',
};

/** The number of reviews with an aspect by language, of so many reviews of each. */
function told(numbers: Record<string, number>): Record<string, number> {
  const reviews = Object.entries(numbers)
    .flatMap(([language, number]) => Array.from({ length: number }, () => language))
    .map((language, at) => record({ id: ulidOf(at), language, text: TEXTS[language]! }));
  const read = readReviews(reviews, { vocabulary: words, weights: WEIGHTS });
  const readings = withheldFew(read, reviews);
  const spoken = reviews.filter(({ id }) => readings.get(id)!.aspects.length > 0);
  const named = reviews.filter(({ id }) => readings.get(id)!.technicians.length > 0);
  assert.equal(named.length, numbers.en ?? 0, 'names are found in every review');
  const counts = Map.groupBy(spoken, ({ language }) => language!);
  return Object.fromEntries([...counts].map(([language, own]) => [language, own.length]));
}

test('twenty reviews speak for a language, fewer do not', () => {
  assert.deepEqual(told({ en: 20 }), { en: 20 });
  assert.deepEqual(told({ en: 19 }), {});
  assert.deepEqual(told({ en: 30, fr: 19 }), { en: 30 });
  assert.deepEqual(told({ en: 30, fr: 20 }), { en: 30, fr: 20 });
});

test('less than a third of all texts speaks for no business', () => {
  assert.deepEqual(told({ en: 20, de: 40 }), { en: 20 });
  assert.deepEqual(told({ en: 20, de: 41 }), {});
});

const PRAISE = 'Das Personal hier ist ausgezeichnet.';
const BLAME = 'Das Personal hier ist furchtbar.';
const german = (...numbers: [stars: number, text: string, number: number][]) => {
  const languages = { de: forms('personal') };
  const own = { ...words, aspects: words.aspects.map((aspect) => ({ ...aspect, languages })) };
  const reviews = numbers.flatMap(([stars, text, number]) =>
    Array.from({ length: number }, (): [number, string, string] => [stars, text, 'de']),
  );
  return insightsOf(own, reviews, [], true);
};

test('German is quoted where words and stars agree, and in no count or share', () => {
  const { aspects, coverage, per_review } = german([5, PRAISE, 30], [1, BLAME, 30], [5, BLAME, 2]);
  const [staff] = aspects;
  const { mention_count, negative_count, positive_pct, quoted_count } = staff!;
  assert.deepEqual([mention_count, negative_count, positive_pct, quoted_count], [0, 0, null, 62]);
  const quotes = staff!.examples.map(({ quote }) => quote);
  assert.deepEqual(quotes, [PRAISE, BLAME]);
  assert.deepEqual(staff!.negative_phrases, ['Personal hier ist furchtbar']);
  assert.deepEqual([coverage.read_count, coverage.languages[0]!.quoted_count], [0, 62]);
  assert.ok(Object.values(per_review).every(({ aspects }) => aspects.length === 0));
});

test('German is quoted from 80 of 100 pairs on that words tell apart; equal words count half', () => {
  const quoted = (blames: number) =>
    german([5, PRAISE, 30], [1, BLAME, blames], [1, PRAISE, 30 - blames]).aspects[0]!.quoted_count;
  assert.deepEqual([quoted(18), quoted(17)], [60, 0]);
});

test('German is silent where few reviews blame, or words and stars disagree', () => {
  const fewBlame = german([5, PRAISE, 60], [1, BLAME, 29]);
  const disagreeing = german([5, PRAISE, 30], [1, PRAISE, 30]);
  for (const { aspects, coverage } of [fewBlame, disagreeing]) {
    assert.deepEqual([aspects[0]!.quoted_count, aspects[0]!.examples], [0, []]);
    assert.equal(coverage.languages[0]!.quoted_count, 0);
  }
});

test('a topic is counted among the reviews of the languages in which it has words', () => {
  const { aspects, topics } = insightsOf(words, [
    [5, TEXTS.en!],
    [5, TEXTS.fr!, 'fr'],
    [5, TEXTS.de!, 'de'],
  ]);
  assert.deepEqual([aspects[0]!.mention_count, aspects[0]!.among_count], [2, 2]);
  const [pets] = topics;
  assert.deepEqual([pets!.review_count, pets!.among_count, pets!.share_pct], [1, 1, 100]);
});
