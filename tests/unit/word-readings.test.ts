import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryReading } from '../../src/schema/search.ts';
import { atOnce } from '../../src/search/pieces.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { linesOf, review } from '../support/reviews.ts';

function indexOf(texts: readonly string[], language = 'en'): SearchIndex {
  return new SearchIndex(linesOf(texts.map((text) => review({ text, language }))), {});
}

/** Returns the texts that a query finds, by their places, and its reading. */
function read(index: SearchIndex, query: string): [positions: number[], QueryReading] {
  const { positions, understood } = index.search({ query, match: 'words', limit: 100 });
  return [positions, understood!];
}

const INSURER = indexOf([
  'They paid on time.',
  'Time is money, and on Monday I called.',
  'On no day was the time right.',
  'The deductible is high. My dog likes them.',
  'Reimbursement was quick, my cats and the dog are well.',
  'I give them an A+! Wi-Fi? No: WiFi.',
  'The wi fi is slow, the email is not. Reimbursement again.',
  'An e-mail about pre-existing conditions.',
  'A preexisting condition, and a bedbug.',
  'Bed bugs! The front desk did nothing.',
]);

const READINGS: [query: string, positions: number[], reading: Partial<QueryReading>][] = [
  ['on time', [0], { words: ['on', 'time'], phrase: 1, all: 3 }],
  ['time on', [0, 1], { phrase: 0, near: 2, all: 3 }],
  ['an A+', [5], { ignored: ['an'] }],
  ['dog OR cats', [3, 4], { words: ['dog OR cats'] }],
  ['dog | cats', [3, 4], { words: ['dog OR cats'] }],
  ['dog AND cats', [4], { words: ['dog', 'cats'] }],
  ['dog NOT cats', [3], { words: ['dog', '-cats'] }],
  ['dog -cats', [3], { words: ['dog', '-cats'] }],
  ['wifi', [5, 6], { joined: { wifi: ['wi fi'] } }],
  ['wi-fi', [5, 6], { joined: { 'wi fi': ['wifi'] } }],
  ['wi fi', [5, 6], { joined: { 'wi fi': ['wifi'] } }],
  ['email', [6, 7], { words: ['email'] }],
  ['e-mail', [6, 7], { joined: { 'e mail': ['email'] } }],
  ['preexisting', [7, 8], {}],
  ['pre-existing', [7, 8], {}],
  ['bedbugs', [8, 9], { joined: { bedbugs: ['bed bugs'] } }],
  ['bed bugs', [8, 9], { joined: { 'bed bugs': ['bedbug'] } }],
  ['deductable', [3], { corrected: { deductable: 'deductible' } }],
  ['reimbursment', [4, 6], { corrected: { reimbursment: 'reimbursement' } }],
];
for (const [query, positions, expected] of READINGS) {
  test(`reads ${query} and says how`, () => {
    const [found, reading] = read(INSURER, query);
    assert.deepEqual(found, positions);
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(reading[name as keyof QueryReading], value, name);
    }
  });
}

test('a sign that stands alone changes nothing', () => {
  assert.deepEqual(read(INSURER, 'dog-cats !'), read(INSURER, 'dog-cats'));
});

test('leaves words of asking out of a question, and names them', () => {
  const [found, { words, ignored }] = read(INSURER, 'how many reviews mention a deductible?');
  assert.deepEqual([found, words], [[3], ['deductible']]);
  assert.deepEqual(ignored, ['how', 'many', 'reviews', 'mention', 'a']);
});

test('small words that no review has beside the others are left out, and named; words of denial are not', () => {
  const index = indexOf(['The company gave contacts.', 'Rooms are clean', 'contacts']);
  const [found, { all, ignored }] = read(index, 'contacts for company');
  assert.deepEqual([found, all, ignored], [[0], 1, ['for']]);
  assert.deepEqual(read(index, 'not clean')[0], []);
});

test('the levels of a phrase count with the other parts of a query', () => {
  const [found, { phrase, all }] = read(INSURER, 'on time -money "day"');
  assert.deepEqual([found, phrase, all], [[], 0, 1]);
});

test('a word of asking stays where it is a part of one thing', () => {
  const index = indexOf(['Their customer service is good.', 'Customer service, again', 'Service']);
  const [, { words }] = read(index, 'what do customers say about customer service?');
  assert.deepEqual(words, ['customer', 'service']);
});

test('a small word stays in a question where it is one thing with the next word', () => {
  const long = Array.from({ length: 5 }, () => 'A long time, three times.');
  const index = indexOf(['Always on time.', ...long, 'The house is warm.']);
  const reading = { words: ['on time'], ignored: ['were', 'they'] };
  assert.deepEqual(read(index, 'were they on time?'), [[0], reading]);
  assert.deepEqual(read(index, 'is the house warm?')[1].words, ['house', 'warm']);
  assert.deepEqual(read(index, 'is the house turned on?')[1].words, ['house', 'turned']);
});

test('a typo that some reviews share is found, and the right word suggested', () => {
  const texts = Array.from({ length: 40 }, () => 'I like their service.');
  const [found, { suggested, corrected }] = read(indexOf([...texts, 'My servise']), 'servise');
  assert.deepEqual([found, suggested, corrected], [[40], { servise: 'service' }, undefined]);
});

test('a word that many reviews have is no typo', () => {
  const texts = [21, 250].flatMap((count, at) =>
    Array.from({ length: count }, () => ['My servise', 'My service'][at]!),
  );
  assert.deepEqual(read(indexOf(texts), 'servise')[1].suggested, undefined);
});

test('a word is corrected to one that reviews share sooner than to one that is a typo itself', () => {
  const index = indexOf(['Brokkfest', ...Array.from({ length: 10 }, () => 'A breakfast')]);
  assert.deepEqual(read(index, 'brokkfast')[1].corrected, { brokkfast: 'breakfast' });
});

test('an article alone is a word', () => {
  assert.deepEqual(read(indexOf(['The end', 'Other']), 'the')[0], [0]);
});

test('a long word is found in another spelling that more reviews have, and says so', () => {
  const index = indexOf(['Deductible', 'A deductible', 'The deductable']);
  const [found, { joined, suggested }] = read(index, 'deductable');
  assert.deepEqual([found, suggested], [[0, 1, 2], undefined]);
  assert.deepEqual(joined, { deductable: ['deductible'] });
  assert.deepEqual(read(indexOf(['Mattress', 'a mattress', 'Matress']), 'matress')[0], [0, 1, 2]);
  assert.deepEqual(read(indexOf(['Centre', 'a centre', 'Center']), 'center')[0], [0, 1, 2]);
  const others = indexOf(['Claims', 'a claim', 'claim', 'my claim', 'Clair called']);
  assert.deepEqual(read(others, 'clair')[0], [4]);
});

test('says how many reviews have a few words side by side, if more have them', () => {
  const index = indexOf(['Room service', 'A room, and good service', 'The service']);
  const [found, { phrase, all }] = read(index, 'room service');
  assert.deepEqual([found, phrase, all], [[0, 1], 1, 2]);
  assert.equal(read(index, 'good service')[1].phrase, undefined);
});

test('a derived word is found by what it is made of, and does not stand for it', () => {
  const index = indexOf(['Good parking', 'Near the park', 'We parked', 'The shower', 'A show']);
  assert.deepEqual(read(index, 'parking')[0], [0]);
  assert.deepEqual(read(index, 'park')[0], [0, 1, 2]);
  assert.deepEqual(read(index, 'shower')[0], [3]);
  assert.deepEqual(read(index, 'show')[0], [4]);
  const air = indexOf(['Air condition', 'Air-conditioned']);
  assert.deepEqual(read(air, 'air conditioning')[0], [0, 1]);
});

test('a query that begins with reviews about something asks for it', () => {
  const index = indexOf(['The lift is slow', 'Reviews said good things, and the lift']);
  assert.deepEqual(read(index, 'reviews about the lift')[0], [0, 1]);
});

test('is sure of a question only if one passage has most of it', () => {
  const between = 'We came on a Sunday and stayed for many days with our whole family. '.repeat(3);
  const fillers = Array.from({ length: 20 }, (_, at) => `Room ${at} was clean`);
  const index = indexOf([`The gym is nice. ${between} The bar closes at midnight.`, ...fillers]);
  const isSure = (query: string) => atOnce(index.rankInPieces({ query, match: 'words' }, 5)).isSure;
  assert.equal(isSure('does the gym open at midnight?'), false);
  assert.equal(isSure('when does the bar close, midnight?'), true);
  assert.equal(isSure('gym midnight'), true);
});

test('reads sixteen strings of a query at most, and names the others', () => {
  const strings = Array.from({ length: 18 }, (_, at) => `-"none ${at}"`);
  const [, { ignored }] = read(INSURER, strings.join(' '));
  assert.deepEqual(ignored, ['none 16', 'none 17']);
});

test('names no word as ignored that it looks for', () => {
  const query = `is the dog well ${'and '.repeat(40)}dog wellness`;
  const { words, ignored } = read(INSURER, query)[1];
  assert.deepEqual(
    [words, ignored],
    [
      ['dog', 'well'],
      ['is', 'the', 'and', 'wellness'],
    ],
  );
});

test('small words are only themselves, and short ones begin no others', () => {
  const index = indexOf(['Thereafter', 'Over there', 'Inside', 'A world', 'The world', 'Notes']);
  assert.deepEqual(read(index, 'there')[0], [1]);
  assert.deepEqual(read(index, 'in side')[0], []);
  assert.deepEqual(read(indexOf(['In a way', 'Away']), 'away')[0], [1]);
  assert.deepEqual(read(indexOf(['Der Abendtee', 'Abend', 'Tee'], 'de'), 'tee')[0], [2]);
  assert.equal(read(index, 'would')[1].corrected, undefined);
  assert.deepEqual(index.words.find({ query: 'not', match: 'term' }), []);
  const cars = indexOf(['Take care', 'A car']);
  assert.deepEqual(atOnce(cars.rankInPieces({ query: 'car' }, 2)).positions, [1]);
});

test('a long word ranks what begins as it does', () => {
  const index = indexOf(['Physiotherapist', 'Physician']);
  const { positions } = atOnce(index.rankInPieces({ query: 'physiotherapy' }, 2));
  assert.deepEqual(positions, [0]);
});

test('corrects six words of a query at most', () => {
  const words = 'waiting kitchen terrace breakfast elevator shuttle concierge balcony'.split(' ');
  const typos = words.map((word) => `${word.slice(0, -1)}${word.at(-1)}x`);
  const [, { corrected }] = read(indexOf(words), typos.join(' '));
  assert.equal(Object.keys(corrected!).length, 6);
});

test('a short word is corrected only to one that begins alike, and that two reviews have', () => {
  const correctedIn = (texts: readonly string[], query: string) =>
    read(indexOf(texts), query)[1].corrected?.[query];
  assert.equal(correctedIn(['A bunch', 'one bunch'], 'bumch'), 'bunch');
  assert.equal(correctedIn(['A bunch', 'one bunch'], 'lunch'), undefined);
  assert.equal(correctedIn(['A bunch'], 'bumch'), undefined);
  assert.equal(correctedIn(['An orange'], 'orangw'), 'orange');
});

const LANGUAGES: [language: string, text: string, queries: string[], misses?: string[]][] = [
  ['de', 'Frühstücksbuffet, Außenterrasse', ['Buffet', 'Terrasse', 'fruehstuecksbuffet']],
  ['de', 'Mittagessen an der Straße, das Essen war gut', ['Strasse', 'STRASSE', 'Essen'], ['ssen']],
  ['de', 'Die Maeuse im Fruehstueck', ['Mäuse', 'Frühstück', 'fruhstuck']],
  ['nl', 'Mijn bankkaart werkt niet, de bank zegt niets over de kaart', ['kaart', 'kaarten']],
  ['sv', 'En frukostbuffé och en frukost', ['buffe', 'frukostar']],
  ['en', 'We don’t pay $1,200', ['1200', '$1200', '1,200', 'don´t', 'dont']],
  ['en', 'A problem of the O’Neils', ['ONeil', 'porblems']],
  ['fr', "L'appli est bloquée, j'aime l’hôtel", ['appli', "l'appli", 'bloqué', 'bloquer', 'hotel']],
  ['es', 'La habitación era pequeña', ['habitacion', 'habitaciones', 'pequeño']],
  ['ar', 'الخدمة ممتازة في المطعم والطعام لذيذ', ['خدمة', 'الخدمة', 'مطعم', 'طعام']],
  ['ja', '店員の態度が悪い。駐車場', ['店員態度', '駐車場', '態度'], ['駅']],
  ['zh', '餐厅的服务很好，有停车场', ['餐厅服务', '停车场', '餐厅'], ['酒店']],
  ['th', 'กาแฟอร่อยมาก', ['กาแฟ', 'อร่อย']],
  ['ko', '서비스가 좋아요', ['서비스']],
  ['en', 'ＷｉＦｉ was ﬁne 👍🏽 ❤️', ['wifi', 'fine', '👍', '❤', '❤️'], ['☕']],
  ['ru', 'Ёлка и хороший завтрак', ['елка', 'завтрак', 'ЗАВТРАК']],
];
for (const [language, text, queries, misses = []] of LANGUAGES) {
  test(`finds words of ${language} in every spelling: ${queries.join(', ')}`, () => {
    const index = indexOf([text, '...'], language);
    for (const query of queries) assert.deepEqual(read(index, query)[0], [0], query);
    for (const query of misses) assert.deepEqual(read(index, query)[0], [], query);
  });
}

test('an exact string of several words that finds nothing counts the words', () => {
  const { matched, words, understood } = INSURER.search({ query: 'quick reimbursement', limit: 5 });
  assert.deepEqual([matched, words, understood], [0, { quick: 1, reimbursement: 2 }, undefined]);
});

test('ranks reviews by the rarity of the words they have, and how near these are', () => {
  const rank = (query: string, limit = 3) => atOnce(INSURER.rankInPieces({ query }, limit));
  assert.deepEqual(rank('was my money paid on time?').positions.slice(0, 2).toSorted(), [0, 1]);
  assert.equal(rank('dog reimbursement').positions[0], 4);
  assert.equal(rank('dog reimbursement').confidence, 1);
  const turned = indexOf(['Bugs bed', 'Bed bugs', 'Bedbugs']);
  const { positions } = atOnce(turned.rankInPieces({ query: 'bed bugs', match: 'words' }, 3));
  assert.equal(positions.at(-1), 0);
  assert.ok(!rank('swimming with the dogs of a stranger').isSure);
  assert.deepEqual(rank('unicorns'), { positions: [], confidence: 0, isSure: false });
  const onlyLater = { query: 'dog reimbursement -quick', limit: 3 };
  assert.ok(!atOnce(INSURER.rankInPieces(onlyLater, 3)).positions.includes(4));
});

test('finishes the words of many reviews in pieces', () => {
  const texts = Array.from({ length: 3_000 }, (_, at) => `word${at} and ${'more '.repeat(60)}`);
  const index = indexOf(texts);
  assert.deepEqual(read(index, 'word2999')[0], [2999]);
  const pieces = index.words.findInPieces({ query: 'more', match: 'words' });
  assert.ok([...pieces].length > 1);
});
