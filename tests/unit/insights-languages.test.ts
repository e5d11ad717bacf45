import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editionNames } from '../../src/build/site-data.ts';
import { readPack } from '../../src/content/read-pack.ts';
import { dutchGrammar } from '../../src/insights/languages/dutch.ts';
import { frenchGrammar } from '../../src/insights/languages/french.ts';
import { spanishGrammar } from '../../src/insights/languages/spanish.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import type { PackName } from '../../src/schema/trade.ts';
import { readingsOf, vocabulary, wordsOf } from '../support/engine.ts';

type Written = readonly [language: string, text: string];

/** Returns the readings of reviews of a trade. */
async function readAll(name: PackName, written: readonly Written[], rating = 3) {
  const texts = written.map(([language, text]) => ({ language, text, rating }));
  return readingsOf(await wordsOf(name), texts);
}

/** Returns the aspects of a reading, with their sides. */
function sidesOf({ aspects }: PerReview): Record<string, string> {
  return Object.fromEntries(aspects.map(({ id, sentiment }) => [id, sentiment]));
}

const [good, bad] = ['positive', 'negative'];

/** Sentences of a language: its words, negations and idioms, and what is of another business. */
const JUDGED: [language: string, text: string, sides: Record<string, string>][] = [
  ['en', 'Although the food was good, the waiter was rude.', { food: good, service: bad }],
  ['en', 'And though the waiter was rude, the food was good.', { food: good, service: bad }],
  ['en', 'The waiter was unfortunately rude.', { service: bad }],
  ['en', 'A less than clean table.', { cleanliness: bad }],
  ['en', 'Better than expected and the waiter was lovely.', { service: good }],
  ['en', 'The soup could not have been better.', { food: good }],
  ['en', 'A friend told me the food was awful.', {}],
  ['en', 'How can anybody call this good food?', { food: bad }],
  ['fr', 'Le serveur était malheureusement désagréable.', { service: bad }],
  ['de', 'Das Essen war leider kalt.', { food: bad }],
  ['fr', "L'accueil est chaleureux et la cuisine délicieuse.", { food: good, service: good }],
  ['fr-FR', 'Desserts à tomber, mais le serveur était désagréable.', { food: good, service: bad }],
  ['fr', "La cuisine n'est pas bonne.", { food: bad }],
  ['fr', "J'aime pas leur cuisine.", { food: bad }],
  ['fr', 'La cuisine ne déçoit jamais.', { food: good }],
  ['fr', 'La carte est moins chère.', { menu: good, price: good }],
  ['fr', 'Rien à redire sur les desserts.', { food: good, overall: good }],
  ['fr', 'Les pizzas laissent à désirer.', { food: bad }],
  ['fr', 'Accueil sympa pas cher.', { price: good, service: good }],
  ['fr', 'Les cotes d’agneau etaient brulees.', { food: bad }],
  ['fr', "Dans l'ancien restaurant la cuisine était infecte.", {}],
  ['es-ES', 'El servicio fue pésimo. Los postres, riquísimos.', { food: good, service: bad }],
  ['es', 'Paella deliciosa, pero el camarero fue maleducado.', { food: good, service: bad }],
  ['es', 'Menu riquisimo y atencion inmejorable', { food: good, menu: good, service: good }],
  ['es', 'La comida no era buena.', { food: bad }],
  ['es', 'La comida no defrauda.', { food: good }],
  ['es', 'Los platos poco elaborados.', { food: bad }],
  ['es', 'Los otros restaurantes eran malísimos.', {}],
  ['de', 'Wir hatten gelesen, dass das Essen köstlich ist.', {}],
  ['de', 'Im Lokal um die Ecke war das Essen köstlich.', {}],
  ['de-AT', 'Die leckeren Speisen, ein freundlicher Kellner!', { food: good, service: good }],
  ['de', 'Das Essen war köstlich, aber das Personal unfreundlich.', { food: good, service: bad }],
  ['de', 'Die Suppe hat nicht geschmeckt.', { food: bad }],
  ['de', 'An der Pizza gibt es nichts auszusetzen.', { food: good }],
  ['de', 'Nicht nur das Essen ist hervorragend.', { food: good }],
  ['de', 'Die Preise sind völlig überteuert.', { price: bad }],
  ['de', 'Nie wieder!', { overall: bad }],
  ['de', 'In anderen Lokalen ist das Essen besser gewürzt.', {}],
  [
    'nl-BE',
    'Heerlijke gerechten, maar trage bediening.',
    { food: good, service: bad, waiting: bad },
  ],
  ['nl', 'Het eten was niet lekker.', { food: bad }],
  ['nl', 'Een vriendelijke ober, een echte aanrader!', { overall: good, service: good }],
];
const written = JUDGED.map(([language, text]): Written => [language, text]);
const judged = await readAll('restaurant', written);
for (const [at, [language, text, expected]] of JUDGED.entries()) {
  test(`reads in ${language}: ${text}`, () => assert.deepEqual(sidesOf(judged[at]!), expected));
}

test('words of waiting and price are those of every trade, in Spanish too', async () => {
  const sentences: Written[] = [['es', 'Muy caro, y la espera se hace eterna.']];
  const [reading] = await readAll('medical', sentences);
  assert.deepEqual(sidesOf(reading!), { price: bad, waiting: bad });
});

test('words common in French are no words of a trade in English, and quotes keep a mark after a space', async () => {
  const [quoted, common] = await readAll('car-repair', [
    ['fr', "L'accueil est vraiment chaleureux !"],
    ['fr', "J'y retourne car l'accueil est chaleureux."],
  ]);
  assert.equal(quoted!.aspects[0]!.quote, "L'accueil est vraiment chaleureux !");
  assert.deepEqual(sidesOf(common!), { staff: good });
});

test('no criticism in French or Spanish names a person', async () => {
  const criticism = [
    ['fr', 'La serveuse Amélie était très désagréable.'],
    ['fr', 'Le service avec Julien est très lent.'],
    ['fr', "L'accueil d'Émilie était glacial et désagréable."],
    ['fr', 'Chloé, la serveuse, était très impolie.'],
    ['es', 'La camarera Lucía fue muy maleducada. El servicio con Andrés fue pésimo.'],
  ] as const;
  for (const reading of await readAll('restaurant', criticism, 1)) {
    assert.ok(reading.aspects.some(({ sentiment }) => sentiment === 'negative'));
    assert.doesNotMatch(JSON.stringify(reading), /Amélie|Julien|Émilie|Chloé|Lucía|Andrés/);
  }
});

test('a capital makes no name of a German noun, and no criticism has a name', async () => {
  const reviews = [
    'Unsere Kellnerin Annika war sehr unfreundlich.',
    'Die Sachertorte war furchtbar, das Essen eine Katastrophe.',
    'Wir bestellten eine Sachertorte.',
  ].map((text) => ['de', text] as const);
  const quotes = (await readAll('restaurant', reviews, 1)).flatMap(({ aspects }) =>
    aspects.map(({ quote }) => quote),
  );
  assert.deepEqual(quotes, [null, 'Die Sachertorte war furchtbar, das Essen eine Katastrophe.']);
});

test('a word of a language that is only quoted is no name of a filter', async () => {
  const { aspects } = await readPack('restaurant');
  const [food] = editionNames(vocabulary({ aspects })).aspects!;
  assert.ok(food!.names.includes('comida'));
  assert.ok(!food!.names.includes('essen') && !food!.names.includes('eten'));
});

test('an adjective has its genders, numbers, superlative and adverb', () => {
  for (const [{ inflect }, word, ...forms] of [
    [frenchGrammar, 'délicieux', 'délicieuse', 'délicieuses', 'délicieusement'],
    [frenchGrammar, 'génial', 'géniale', 'géniaux'],
    [frenchGrammar, 'attentif', 'attentive', 'attentives', 'attentivement'],
    [frenchGrammar, 'poli', 'polie', 'polis', 'poliment'],
    [spanishGrammar, 'lento', 'lenta', 'lentos', 'lentas', 'lentísimo', 'lentamente'],
    [spanishGrammar, 'amable', 'amables'],
  ] as const) {
    const missing = forms.filter((form) => !inflect(word).includes(form));
    assert.deepEqual(missing, [], word);
  }
  assert.deepEqual(dutchGrammar.inflect('traag'), ['traag', 'trage']);
  assert.deepEqual(dutchGrammar.inflect('snel'), ['snel', 'snelle']);
  assert.equal(frenchGrammar.otherNumber('gâteaux'), 'gâteau');
  assert.equal(frenchGrammar.fold("l'hôtel"), 'hotel');
  assert.equal(spanishGrammar.otherNumber('menús'), 'menú');
});
