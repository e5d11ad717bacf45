import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withBusinessName } from '../../src/content/business-name.ts';
import { readContent } from '../../src/content/read-content.ts';
import { OVERALL, readPack } from '../../src/content/read-pack.ts';
import { AspectFinder } from '../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';
import { LANGUAGES } from '../../src/insights/languages/languages.ts';
import { joinLists } from '../../src/schema/by-language.ts';
import { GENERAL_PACK, PACKS } from '../../src/schema/trade.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';
import { ROOT } from '../support/fixtures.ts';

test('a word that two joined lists have is there once', () => {
  const joined = joinLists({ en: { terms: ['a', 'b'] } }, { en: { terms: ['b', 'c'] } });
  assert.deepEqual(joined, { en: { terms: ['a', 'b', 'c'] } });
});

const EXTENDS = { 'vocabulary/trade.json': '{ "extends": "home-services" }' };
const pack = await readPack('home-services');

for (const name of PACKS) {
  test(`the pack ${name} is complete, and refers only to what it has`, async () => {
    const { aspects, topics, problems, faq } = await readPack(name);
    assert.ok(aspects.length >= 7 && topics.length > 0 && problems.length > 0 && faq.length > 0);
    const known = {
      aspects: new Set(aspects.map(({ id }) => id)),
      topics: new Set(topics.map(({ id }) => id)),
      problems: new Set(problems.map(({ id }) => id)),
    };
    const referred = [
      ...topics.flatMap(({ aspect_ids }) => aspect_ids),
      ...aspects.flatMap(({ yields_to }) => yields_to),
    ];
    for (const id of referred) assert.ok(known.aspects.has(id), id);
    for (const { evidence } of faq) {
      assert.deepEqual(evidence.services, []);
      for (const kind of ['aspects', 'topics', 'problems'] as const)
        for (const id of evidence[kind]) assert.ok(known[kind].has(id), id);
    }
    for (const list of [aspects, topics, problems, faq]) {
      assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
    }
  });
}

for (const name of PACKS) {
  test(`a warning names no price, and is about the business: ${name}`, async () => {
    const { aspects, lexicon } = await readPack(name);
    const text = readText('Avoid them at all costs.', sentimentLexicon(lexicon));
    const found = new AspectFinder([...aspects, OVERALL]).find(text);
    const aspect = found.map((each) => each.aspect).join();
    assert.equal(aspect, 'overall');
  });
}

/** The files of the engine, without comments and imports. */
const ENGINE = globSync('src/insights/{analyze,aggregate}/*.ts', { cwd: ROOT }).map((file) => {
  const code = readFileSync(join(ROOT, file), 'utf8');
  return [file, code.replaceAll(/\/\*.*?\*\/|^import.*?;$/gms, '')] as const;
});

test('the engine and its languages have no business, job or worker of a trade', async () => {
  const packs = await Promise.all(PACKS.map(readPack));
  const own = (list: 'businesses' | 'people' | 'actions') =>
    new Set(packs.flatMap(({ trade }) => trade[list]));
  for (const { code, businesses, people, actionVerbs } of LANGUAGES) {
    assert.deepEqual([...businesses.intersection(own('businesses'))], [], code);
    assert.deepEqual([...people.intersection(own('people'))], [], code);
    assert.deepEqual([...actionVerbs.intersection(own('actions'))], [], code);
  }
  const nouns = own('businesses').union(own('actions'));
  assert.ok(ENGINE.length > 30);
  for (const [file, code] of ENGINE) {
    const literals = code.match(/'[^'\n]*'|`[^`]*`/g) ?? [];
    const words = new Set(literals.flatMap((literal) => literal.match(/\p{L}+/gu) ?? []));
    assert.deepEqual([...words.intersection(nouns)], [], file);
  }
});

test('the engine has no word of a language in its code', () => {
  const words = new Set<string>();
  for (const { negators, prepositions, determiners, pronouns, joins, auxiliaries } of LANGUAGES) {
    for (const list of [negators, prepositions, determiners, pronouns, joins, auxiliaries]) {
      for (const word of list) words.add(word);
    }
  }
  for (const [file, code] of ENGINE) {
    const found = [...code.matchAll(/'([\p{L}' ]{1,14})'|\(\?:([\p{L}|]+)\)/gu)];
    const literals = found.flatMap(([, text, other]) => (text ?? other!).split(/[ |]/));
    const stated = literals.filter((word) => word.length > 1 && words.has(word) && word !== 'at');
    assert.deepEqual(stated, [], file);
  }
});

test('only customers who come back praise or criticize the business', () => {
  const finder = new AspectFinder([OVERALL]);
  const lexicon = sentimentLexicon({ words: {}, phrases: {} });
  const found = (text: string) => finder.find(readText(text, lexicon)).length > 0;
  for (const text of [
    "I'd be back tomorrow.",
    "We'll definitely be back.",
    'Will not come back.',
    'They keep me coming back.',
  ]) {
    assert.ok(found(text), text);
  }
  for (const text of [
    "They said they'd be back in spring to reseed.",
    'He promised he would be back by noon.',
    'Someone will come back on Monday.',
    'The crew said they would return.',
  ]) {
    assert.ok(!found(text), text);
  }
});

const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

test('a missing file of the vocabulary is that of the general pack', async (context) => {
  const changes = { vocabulary: null, faq: null, 'business.json': NEW };
  const folder = await contentFolder(context, changes);
  const { vocabulary, words, faq } = await readContent(folder);
  const general = await readPack(GENERAL_PACK);
  const own = { ...vocabulary, aspects: [...general.aspects, OVERALL] };
  assert.deepEqual(vocabulary.aspects, withBusinessName(own, 'Fenwick Drains').aspects);
  assert.deepEqual(vocabulary.lexicon, general.lexicon);
  assert.deepEqual(words.staff, general.staff);
  for (const { answer } of faq) assert.equal(answer, null);
  assert.deepEqual(idsOf(faq), idsOf(general.faq));
});

const NEW = '{ "name": "Fenwick Drains", "category": "drain cleaning" }';

test('the built-in aspect can be extended, and left out', async (context) => {
  const aspectsWith = async (entry: string) => {
    const files = { ...EXTENDS, 'vocabulary/aspects.json': `[{ "id": "overall", ${entry} }]` };
    const { vocabulary } = await readContent(await contentFolder(context, files));
    return vocabulary.aspects.find(({ id }) => id === 'overall');
  };
  assert.ok((await aspectsWith('"terms": ["gelato spot"]'))!.terms.includes('gelato spot'));
  assert.equal(await aspectsWith('"omit": true'), undefined);
});

test('an entry adds words to the entry of the pack, and replaces its label', async (context) => {
  const folder = await contentFolder(context, {
    ...EXTENDS,
    'vocabulary/aspects.json': `[
      { "id": "punctuality", "label": "On time", "terms": ["o'clock", "late"] },
      { "id": "warranty", "omit": true },
      { "id": "tides", "label": "Tides", "terms": ["tide"] }
    ]`,
    'vocabulary/topics.json': '[]',
    'vocabulary/lexicon.json': '{ "version": "9", "words": { "botched": -5 } }',
    faq: null,
  });
  const { vocabulary, faq } = await readContent(folder);
  const [punctuality] = vocabulary.aspects;
  assert.equal(punctuality!.label, 'On time');
  assert.deepEqual(punctuality!.terms, ["o'clock", 'late']);
  assert.deepEqual(punctuality!.languages, pack.aspects[0]!.languages);
  const ids = idsOf(vocabulary.aspects);
  assert.equal(ids.at(-1), 'tides');
  assert.ok(!ids.includes('warranty'));
  assert.deepEqual(idsOf(vocabulary.topics), idsOf(pack.topics));
  assert.ok(vocabulary.topics.every(({ aspect_ids }) => !aspect_ids.includes('warranty')));
  assert.deepEqual([vocabulary.lexicon.version, vocabulary.lexicon.words.botched], ['9', -5]);
  assert.deepEqual(vocabulary.lexicon.languages, pack.lexicon.languages);
  const comesBack = faq.find(({ id }) => id === 'if-the-problem-comes-back')!;
  assert.deepEqual([comesBack.evidence.aspects, comesBack.answer], [[], null]);
});

test('refuses what cannot be joined with the pack, at its line', async (context) => {
  const karate = { 'vocabulary/trade.json': '{\n  "extends": "karate"\n}' };
  assert.deepEqual(await issuesOf(context, karate), [
    `content/vocabulary/trade.json:2: extends: must be one of ${PACKS.join(', ')} (was "karate")`,
  ]);
  const aspects = (isOmitted: boolean) => ({
    ...EXTENDS,
    'vocabulary/aspects.json': `[
      { "id": "punctuality", "terms": ["o'clock"] },
      { "id": "tides", "terms": ["tide"] },
      { "id": "moon", "omit": true },
      { "id": "warranty", "omit": ${isOmitted} }
    ]`,
  });
  assert.deepEqual(await issuesOf(context, aspects(false)), [
    'content/vocabulary/aspects.json:5: 3.omit: must be one of true (was false)',
  ]);
  assert.deepEqual(await issuesOf(context, aspects(true)), [
    'content/vocabulary/aspects.json:3: 1.label: is missing',
    'content/vocabulary/aspects.json:4: 2.id: no entry of the trade pack has this id (was "moon")',
  ]);
});
