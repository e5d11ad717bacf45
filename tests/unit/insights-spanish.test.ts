import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPack } from '../../src/content/read-pack.ts';
import { readReviews } from '../../src/insights/derive.ts';
import { spanishGrammar } from '../../src/insights/languages/spanish.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';
import { record, ulidOf } from '../support/reviews.ts';

const { aspects, topics, lexicon, trade } = await readPack('restaurant');
const words = { ...vocabulary({ aspects, topics }), lexicon, trade };

/** Returns the aspects of a Spanish review of three stars, with their sides. */
function sides(text: string): Record<string, string> {
  const review = record({ id: ulidOf(1), language: 'es-ES', rating: 3, text });
  const [reading] = readReviews([review], { vocabulary: words, weights: WEIGHTS }).values();
  return Object.fromEntries(reading!.aspects.map(({ id, sentiment }) => [id, sentiment]));
}

test('a Spanish review is judged by Spanish words', () => {
  const [good, bad] = ['positive', 'negative'];
  assert.deepEqual(sides('La comida exquisita y los camareros muy amables.'), {
    food: good,
    service: good,
  });
  assert.deepEqual(sides('El servicio fue pésimo. Los postres, riquísimos.'), {
    food: good,
    service: bad,
  });
  assert.deepEqual(sides('La paella estaba deliciosa, pero el camarero fue maleducado.'), {
    food: good,
    service: bad,
  });
});

test('a Spanish negation turns an opinion around, and an idiom with one does not', () => {
  assert.deepEqual(sides('La comida no era buena.'), { food: 'negative' });
  assert.deepEqual(sides('La comida no defrauda.'), { food: 'positive' });
  assert.deepEqual(sides('Los platos poco elaborados.'), { food: 'negative' });
});

test('a Spanish text means the same without its accents', () => {
  assert.deepEqual(
    sides('Menu riquisimo y atencion inmejorable'),
    sides('Menú riquísimo y atención inmejorable'),
  );
});

test('another business in a Spanish review is not this one', () => {
  assert.deepEqual(sides('Los otros restaurantes eran malísimos.'), {});
});

test('no Spanish criticism names a person', () => {
  const text = 'La camarera Lucía fue muy maleducada. El servicio con Andrés fue pésimo.';
  const review = record({ id: ulidOf(2), language: 'es', rating: 1, text });
  const [reading] = readReviews([review], { vocabulary: words, weights: WEIGHTS }).values();
  assert.ok(
    reading!.aspects.some(({ id, sentiment }) => id === 'service' && sentiment === 'negative'),
  );
  assert.doesNotMatch(JSON.stringify(reading), /Lucía|Andrés/);
});

test('an adjective has its genders, numbers, superlative and adverb', () => {
  const forms = spanishGrammar.inflect('lento');
  for (const form of ['lento', 'lenta', 'lentos', 'lentas', 'lentísimo', 'lentamente']) {
    assert.ok(forms.includes(form), form);
  }
  assert.ok(spanishGrammar.inflect('amable').includes('amables'));
  assert.equal(spanishGrammar.otherNumber('menús'), 'menú');
});
