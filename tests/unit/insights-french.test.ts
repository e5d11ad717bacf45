import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OVERALL, readPack } from '../../src/content/read-pack.ts';
import { readReviews } from '../../src/insights/derive.ts';
import { frenchGrammar } from '../../src/insights/languages/french.ts';
import type { PackName } from '../../src/schema/trade.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';
import { record, ulidOf } from '../support/reviews.ts';

/** Returns a reader of French reviews of a trade. */
async function readerOf(name: PackName) {
  const { aspects, topics, lexicon, trade } = await readPack(name);
  const words = { ...vocabulary({ aspects: [...aspects, OVERALL], topics }), lexicon, trade };
  return (text: string, rating = 3) => {
    const review = record({ id: ulidOf(1), language: 'fr-FR', rating, text });
    return [...readReviews([review], { vocabulary: words, weights: WEIGHTS }).values()][0]!;
  };
}

const read = await readerOf('restaurant');
const readGarage = await readerOf('car-repair');

/** Returns the aspects of a French review of three stars, with their sides. */
function sides(text: string, reader = read): Record<string, string> {
  return Object.fromEntries(reader(text).aspects.map(({ id, sentiment }) => [id, sentiment]));
}

const [good, bad] = ['positive', 'negative'];

test('a French review is judged by French words', () => {
  assert.deepEqual(sides("L'accueil est chaleureux et la cuisine délicieuse."), {
    food: good,
    service: good,
  });
  assert.deepEqual(sides('Les desserts sont à tomber, mais le serveur était désagréable.'), {
    food: good,
    service: bad,
  });
});

test('a French negation may precede the opinion, follow the verb, or be part of an idiom', () => {
  assert.deepEqual(sides("La cuisine n'est pas bonne."), { food: bad });
  assert.deepEqual(sides("J'aime pas leur cuisine."), { food: bad });
  assert.deepEqual(sides('La cuisine ne déçoit jamais.'), { food: good });
  assert.deepEqual(sides('La carte est peu originale.'), { menu: bad });
  assert.deepEqual(sides('La carte est moins chère.'), { menu: good, price: good });
  assert.deepEqual(sides('Rien à redire sur les desserts.'), { food: good, overall: good });
  assert.deepEqual(sides('Les pizzas laissent à désirer.'), { food: bad });
  assert.deepEqual(sides('Accueil sympa pas cher.'), { price: good, service: good });
});

test('words that are common in French are no words of a trade in English', () => {
  assert.deepEqual(sides("J'y retourne car l'accueil est chaleureux.", readGarage), {
    staff: good,
  });
  assert.deepEqual(sides('Devis clair, travail raté.', readGarage), {
    price: good,
    workmanship: bad,
  });
});

test('a French quote keeps the mark that a space precedes', () => {
  const [label] = readGarage("L'accueil est vraiment chaleureux !").aspects;
  assert.equal(label!.quote, "L'accueil est vraiment chaleureux !");
});

test('a French text means the same without its accents', () => {
  assert.deepEqual(
    read('Cuisine delicieuse, equipe tres attentionnee, rien a redire.').aspects.map(
      ({ id }) => id,
    ),
    read('Cuisine délicieuse, équipe très attentionnée, rien à redire.').aspects.map(
      ({ id }) => id,
    ),
  );
  assert.deepEqual(sides('Les cotes d’agneau etaient brulees.'), { food: bad });
});

test('another business in a French review is not this one', () => {
  assert.deepEqual(sides('Les autres restaurants étaient horribles.'), {});
  assert.deepEqual(sides("Dans l'ancien restaurant la cuisine était infecte."), {});
});

test('no French criticism names a person', () => {
  for (const criticism of [
    'La serveuse Amélie était très désagréable.',
    'Le service avec Julien est très lent.',
    "L'accueil d'Émilie était glacial et désagréable.",
    'Chloé, la serveuse, était très impolie.',
  ]) {
    const reading = read(criticism, 1);
    assert.ok(
      reading.aspects.some(({ sentiment }) => sentiment === 'negative'),
      criticism,
    );
    assert.doesNotMatch(JSON.stringify(reading), /Amélie|Julien|Émilie|Chloé/);
  }
});

test('a French adjective has its genders, numbers and adverb', () => {
  for (const [word, ...forms] of [
    ['délicieux', 'délicieuse', 'délicieuses', 'délicieusement'],
    ['bon', 'bons', 'bonne', 'bonnes'],
    ['génial', 'géniale', 'géniaux'],
    ['attentif', 'attentive', 'attentives', 'attentivement'],
    ['cher', 'chère', 'chères'],
    ['poli', 'polie', 'polis', 'poliment'],
  ] as const) {
    assert.deepEqual(
      forms.filter((form) => !frenchGrammar.inflect(word).includes(form)),
      [],
      word,
    );
  }
  assert.equal(frenchGrammar.otherNumber('gâteaux'), 'gâteau');
  assert.equal(frenchGrammar.fold("l'hôtel"), 'hotel');
});
