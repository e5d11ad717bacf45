import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeTemporal } from '../../src/insights/aggregate/temporal.ts';
import { rankQuotes, type Quotable } from '../../src/insights/aggregate/quotes.ts';
import { powerOfTrend, worstFalseAlarm } from '../bench/insights/false-alarms.ts';
import { faqEntry, insightsOf, vocabulary } from '../support/engine.ts';
import { ulidOf } from '../support/reviews.ts';

const words = vocabulary({
  aspects: [
    { id: 'pricing', label: 'Pricing', terms: ['price'] },
    { id: 'crew', label: 'Crew', terms: ['crew'] },
  ],
});

/** Reviews of one day, of which some are positive. */
const day = (date: string, positive: number, all: number) =>
  Array.from({ length: all }, (_, index) => ({ date, rating: index < positive ? 5 : 1 }));

test('a change that chance explains is no trend, and the windows say how many reviews', () => {
  const { trend, recent, previous, z } = computeTemporal([
    ...day('2026-06-01', 15, 20),
    ...day('2025-10-01', 17, 20),
  ]);
  assert.equal(trend, 'stable');
  assert.deepEqual([recent.n, previous.n], [20, 20]);
  assert.ok(Math.abs(z!) < 1.75);
});

test('a change that chance hardly explains is a trend', () => {
  const before = day('2025-10-01', 10, 40);
  assert.equal(computeTemporal([...day('2026-06-01', 36, 40), ...before]).trend, 'improving');
  assert.equal(computeTemporal([...day('2026-06-01', 1, 40), ...before]).trend, 'declining');
  assert.equal(computeTemporal([...day('2026-06-01', 9, 9), ...before]).trend, 'insufficient_data');
  assert.equal(computeTemporal([]).z, null);
});

test('a business that never changes is called improving or declining in one of ten at most', () => {
  const [alarms, power] = [worstFalseAlarm(), powerOfTrend()];
  assert.ok(alarms <= 0.1, String(alarms));
  // A test of the share of positive reviews finds three in ten.
  assert.ok(power > 0.35, String(power));
});

test('a claim of an answer is compared with the counts of its aspect', () => {
  const claim = { aspect: 'pricing', side: 'positive' as const };
  const claims = [
    { ...claim, min_share: 60 },
    { ...claim, min_share: 70 },
    { ...claim, aspect: 'crew', min_share: 1 },
  ];
  const reviews: [number, string][] = [
    [5, 'A wonderful price.'],
    [5, 'A great price.'],
    [1, 'A horrible price.'],
  ];
  const { faq } = insightsOf(words, reviews, [faqEntry('a', { aspects: ['pricing'] }, claims)]);
  const found = faq[0]!.claims.map(({ share, holds }) => `${share} ${holds}`);
  assert.deepEqual(found, ['66.7 true', '66.7 false', 'null false']);
});

let reviews = 0;
const quote = (text: string, { rating = 5, date = '2026-05-01', clarity = 0.5 } = {}): Quotable => {
  const review = { id: ulidOf(++reviews), rating, date, language: 'en' };
  return { review, text, sentiment: 'positive', clarity, aspects: 1, opens: false };
};
const best = (quotes: Quotable[]) => rankQuotes(quotes, '2026-06-01').map(({ text }) => text);

test('the most typical quote comes first, not the one with the strongest words', () => {
  const typical = 'The price was fair and clear from the start.';
  const strong = 'Wow, an amazing, fantastic, superb and brilliant outfit!';
  const ranked = best([
    quote(strong, { clarity: 0.6 }),
    quote(typical),
    quote('They gave us a fair and clear price on the phone.'),
    quote('A clear price, a fair start and no surprises at all.'),
  ]);
  assert.notEqual(ranked[0], strong);
});

test('quotes that are too short or long, do not read alone, or contradict the stars come last', () => {
  const good = 'The price was what they said it would be.';
  for (const [bad, rating = 5] of [
    ['A lovely fair price for us all.', 1],
    ['Good price.'],
    ['The price was fair\nand the work was good too.'],
    ['and the price was fair for all they did.'],
    [`The price was fair, ${'and so on, '.repeat(20)}and so on.`],
  ] as [string, number?][]) {
    assert.equal(best([quote(bad, { clarity: 1, rating }), quote(good)])[0], good, bad);
  }
});

test('the newest two years come first, before older quotes that say more', () => {
  const old = quote('The price was fair and clear for us.', { date: '2024-06-01', clarity: 1 });
  const recent = quote('We thought that the bill was quite reasonable.', { clarity: 0.6 });
  assert.equal(best([old, recent])[0], recent.text);
  const newer = { ...old, review: { ...old.review, date: '2024-06-02' } };
  assert.equal(best([newer, recent])[0], newer.text);
});

test('quotes that repeat a better one are left out', () => {
  const ranked = best([
    quote('The price was fair and the crew was friendly.'),
    quote('Fair price, friendly crew, all of them.'),
    quote('They swept the garage before they left.'),
  ]);
  assert.equal(ranked.length, 2);
});

test('a phrase whose opinion word takes no side in most reviews is dropped', () => {
  const { aspects } = insightsOf(words, [
    [1, 'A nice crew.'],
    [1, 'What a nice crew.'],
    [5, 'Such a nice crew.'],
    [5, 'A friendly crew.'],
  ]);
  const crew = aspects.find(({ id }) => id === 'crew')!;
  assert.deepEqual(crew.top_phrases, ['friendly crew']);
});

test('an answer counts the sentences on its topic, not the stars, and quotes nothing twice', () => {
  const topics = ['parking'];
  const { faq } = insightsOf(
    vocabulary({
      technicians: [{ id: 'hank', name: 'Hank' }],
      topics: [{ id: 'parking', label: 'Parking', terms: ['parking'] }],
    }),
    [
      [5, 'A wonderful weekend. The parking was terrible and far too expensive, sadly.'],
      [5, 'We loved every minute. The parking was a horrible mess, I have to say.'],
      [4, 'There is parking behind the house for those who come by car.'],
      [1, 'Hank was rude about the parking and the parking was awful.'],
    ],
    [faqEntry('parking', { topics }), faqEntry('parking-again', { topics })],
  );
  assert.equal(faq[0]!.answer, '4 reviews mention it: 0 favorably, 3 critically.');
  assert.ok(faq[0]!.quotes.length > 0);
  for (const { sentiment, text } of faq[0]!.quotes) {
    assert.ok(sentiment === 'negative' && !text.includes('Hank'), text);
  }
  assert.deepEqual(faq[1]!.quotes, []);
});

test('the method says that reviews in other languages, or without words, count by their stars only', () => {
  const { coverage } = insightsOf(words, [
    [5, 'A wonderful price.'],
    [1, 'Ein furchtbarer Preis, und niemand kam.', 'de'],
    [4, 'Un prezzo stupendo.', 'it'],
    [5, ''],
  ]);
  assert.deepEqual(coverage, {
    read_count: 1,
    stars_only_count: 3,
    without_words_count: 1,
    languages: [
      { language: 'de', review_count: 1, read_count: 0, quoted_count: 0 },
      { language: 'en', review_count: 1, read_count: 1, quoted_count: 0 },
      { language: 'it', review_count: 1, read_count: 0, quoted_count: 0 },
    ],
  });
});
