import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { readsAlone } from '../../src/insights/aggregate/quotes.ts';
import { ENGLISH, knownLanguage } from '../../src/insights/languages/languages.ts';
import { quoteAround, readText } from '../../src/insights/analyze/read-text.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import { faqEntry, insightsOf, readingsOf, vocabulary } from '../support/engine.ts';

const lexicon = sentimentLexicon({ words: {}, phrases: {} });
const quote = (text: string, word: string) => {
  const read = readText(text, lexicon);
  const at = read.tokens.findIndex(({ text: written }) => written === word);
  return quoteAround(read, at);
};

test('a quote is the sentence with the marks that belong to it, and no half of a pair', () => {
  assert.equal(quote('Well. $2,290 for a tank! Ok.', 'tank'), '$2,290 for a tank!');
  assert.equal(quote('He said "no labor. Only parts." Fine.', 'parts'), 'Only parts.');
  assert.equal(quote('"Fair price." Fine.', 'price'), '"Fair price."');
  assert.equal(quote('They (two of them) came. Ok', 'two'), 'They (two of them) came.');
  assert.equal(quote('(They came late.) Ok', 'late'), '(They came late.)');
});

test('a quote reads alone if it is a statement that needs no sentence before it', () => {
  const alone = ['The crew was so kind.', '$90 well spent, I say!', '"Best crew we ever had."'];
  for (const text of alone) assert.ok(readsAlone(text, ENGLISH), text);
  for (const text of [
    'kind and tidy, the lot of them.',
    'The crew was kind and',
    'He was kind and tidy too.',
    'But the crew was kind and tidy.',
    'THE CREW WAS KIND AND TIDY.',
    'Very kind.',
    'Was the crew kind and tidy?',
    'The crew was kind and tidy as well.',
    'We waited a month before doing so.',
    'We do wish the phone had been picked up at once.',
    'Works beautifully and quietly all the same.',
    'We also appreciated how tidy the crew was.',
  ]) {
    assert.ok(!readsAlone(text, ENGLISH), text);
  }
});

test('a quote in Spanish or French that refers to a sentence before it does not read alone', () => {
  const quotes = {
    es: [
      'El camarero fue muy amable con todos.',
      'Pero la comida llegó fría y muy tarde.',
      'Además nos trataron con mucho cariño.',
      'El camarero nos invitó al postre también.',
      '¡Ojalá abrieran los lunes por la noche!',
    ],
    fr: [
      'Le repas était chaud et très bon.',
      'Elle nous a très bien accueillis hier.',
      'Par contre le dessert était trop sucré.',
      "D'ailleurs le dessert était trop sucré.",
      'Le dessert était très bon aussi.',
    ],
  };
  for (const [code, texts] of Object.entries(quotes)) {
    const alone = texts.filter((text) => readsAlone(text, knownLanguage(code)!));
    assert.deepEqual(alone, texts.slice(0, 1));
  }
});

const words = vocabulary({
  technicians: [{ id: 'hank', name: 'Hank Delgado', aliases: ['Hank'] }],
  aspects: [
    { id: 'pricing', label: 'Pricing', terms: ['price', 'prices'] },
    { id: 'staff', label: 'Staff', terms: ['crew'] },
  ],
  topics: [{ id: 'nights', label: 'Nights', terms: ['at night'] }],
});

test('the pull quote reads alone, and comes from a five-star review that blames nothing', () => {
  const { pull_quote } = insightsOf(words, [
    [5, 'A wonderful price. An excellent crew with an excellent, excellent price, they are.'],
    [5, 'An excellent price for the work they did. But what a horrible, horrible crew.'],
    [4, 'A perfect crew with a perfect and wonderful price for all of us.'],
    [5, 'The crew was kind and the price was fair for what they did.'],
    [5, 'The price was fair enough for what they all did here.'],
    [5, 'and the crew was wonderful and excellent and the price perfect and excellent.'],
  ]);
  const alone = /^(?:An excellent crew|The crew was kind|The price was fair enough)/;
  assert.match(pull_quote!.text, alone);
  assert.equal(insightsOf(words, [[5, 'Nice crew.']]).pull_quote, null);
  const fair = 'The price was fair enough for what they all did here.';
  assert.equal(insightsOf(words, [[5, fair]]).pull_quote?.text, fair);
  assert.equal(insightsOf(words, [[4, fair]]).pull_quote, null);
});

test('an answer quotes both sides, also where only a topic speaks to it', () => {
  const reviews: [number, string][] = [
    [5, 'They were wonderful at night, and so kind.'],
    [5, 'A van stood there at night with lights on. A fair price too, I must say.'],
    [5, 'Fair price.'],
    [5, 'I think the price was fair and good.'],
    [5, 'Their price is good for what they do.'],
    [1, 'They were awful and rude at night, for hours.'],
    [1, 'A horrible, horrible price for no work.'],
    [1, 'Hank did not pick up at night, twice over.'],
  ];
  const faq = [faqEntry('a', { aspects: ['pricing'] }), faqEntry('b', { topics: ['nights'] })];
  const { faq: answers } = insightsOf(words, reviews, faq);
  const texts = answers.map(({ quotes }) => quotes.map(({ text }) => text));
  assert.equal(answers[0]!.evidence_count, 5);
  assert.ok(texts[0]!.includes('A horrible, horrible price for no work.'));
  assert.equal(answers[1]!.evidence_count, 4);
  // The van with its lights on is a fact: it takes no side.
  assert.deepEqual(texts[1]!.toSorted(), [
    'They were awful and rude at night, for hours.',
    'They were wonderful at night, and so kind.',
  ]);
});

test('an example says its side alone: without the stars, and close to the aspect', () => {
  const examples = (stars: number, text: string) =>
    insightsOf(words, [[stars, text]]).aspects.find(({ id }) => id === 'pricing')!.examples;
  const clear = 'The price was wonderful and fair for all of us.';
  const [example] = examples(5, clear);
  assert.deepEqual([example!.quote, example!.sentiment], [clear, 'positive']);
  assert.equal(examples(1, 'The price was horrible for what they did here.').length, 1);
  for (const unclear of [
    'The price was 155 and he relit the pilot for us.',
    'If the price was wonderful I would say so here.',
    'I expected a wonderful and fair price from them all.',
    'The price was wonderful but the noise was horrible all day.',
    'The price was wonderful for us, although the crew came two hours later.',
    'Other companies have a wonderful and fair price too, here.',
    'The price is on the bill, and my sister is wonderful and kind and happy.',
  ]) {
    assert.deepEqual(examples(5, unclear), [], unclear);
  }
});

test('an opinion far from the aspect in its clause does not say its side alone', () => {
  const said = [
    'The price on the phone was wonderful.',
    'The price that we had on the phone with them in May was wonderful.',
  ].map((text) => ({ text, rating: 3 }));
  const alone = readingsOf(words, said).map(({ aspects }) => aspects[0]!.alone);
  assert.deepEqual(alone, [true, false]);
});

test('praise among what a form asks to criticize is neither quoted nor listed', () => {
  const text = 'The price was wonderful and fair.';
  const [none, criticism] = readingsOf(words, [
    { text, rating: 3 },
    { text, rating: 3, criticism_at: 0 },
  ]);
  const told = ({ aspects: [label], phrases }: PerReview) => [
    label!.sentiment,
    label!.alone,
    phrases.length,
  ];
  assert.deepEqual([none!, criticism!].map(told), [
    ['positive', true, 1],
    ['positive', false, 0],
  ]);
});

test('an example holds a phrase that is listed for its aspect', () => {
  const words = vocabulary({ aspects: [{ id: 'pricing', label: 'Pricing', terms: ['price'] }] });
  const [aspect] = insightsOf(words, [
    [5, 'What a really great price for a new tank.'],
    [5, 'They gave us a great price and a new tank.'],
    [5, 'The price for all of this work was great.'],
    [5, 'Their really great price surprised us all.'],
  ]).aspects;
  assert.deepEqual(aspect!.top_phrases, ['great price']);
  assert.ok(aspect!.examples.length > 0);
  for (const { quote } of aspect!.examples) assert.match(quote, /great price/);
});
