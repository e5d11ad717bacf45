import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildPublication } from '../../src/build/publication.ts';
import { writeCards } from '../../src/build/write-cards.ts';
import { readContent } from '../../src/content/read-content.ts';
import { reviewPath } from '../../src/paths.ts';
import { shareCards } from '../../src/view/share-cards.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';

const { cards, dataset, insights } = buildPublication(
  await readContent(DATASET),
  'https://reviews.example',
);
const FEW = [...cards.values()].slice(1, 4);

test('the site, every aspect, every person, the newest months and reviews have a card', () => {
  const technician = insights.entities.technicians.find((one) => one.mention_count > 0);
  const paths = [
    '/',
    ...insights.aspects
      .filter((aspect) => aspect.mention_count > 0)
      .map(({ id }) => `/insights/${id}/`),
    `/technicians/${technician!.id}/`,
    `/reviews/${dataset.reviews[0]!.date.slice(0, 7)}/`,
    reviewPath(dataset.reviews[0]!.id),
  ];
  for (const path of paths) assert.ok(cards.has(path), path);
});

test('a large site has no more cards than the budget', () => {
  const months = Map.groupBy(dataset.reviews, ({ date }) => date.slice(0, 7));
  const entity = insights.entities.technicians.find((one) => one.mention_count > 0);
  const technicians = Array.from({ length: 500 }, (_, at) => ({ ...entity!, id: `p-${at}` }));
  const many = { ...insights, entities: { ...insights.entities, technicians } };
  assert.ok(shareCards(dataset, many, months).size <= 101);
});

test('a card is drawn once: then it is copied, with the same bytes', async (context) => {
  const folder = await temporaryFolder(context);
  const cache = join(folder, 'cache');
  assert.equal(await writeCards(join(folder, 'one'), FEW, cache), FEW.length);
  assert.equal(await writeCards(join(folder, 'two'), FEW, cache), 0);
  await rm(cache, { recursive: true });
  assert.equal(await writeCards(join(folder, 'three'), FEW, cache), FEW.length);
  for (const { path } of FEW) {
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((edition) => readFile(join(folder, edition, path))),
    );
    assert.deepEqual([two, three], [one, one], path);
  }
});

test('a card of other content is drawn anew, and one that no build used for long is deleted', async (context) => {
  const folder = await temporaryFolder(context);
  const cache = join(folder, 'cache');
  const [card] = FEW;
  await writeCards(join(folder, 'one'), [card!], cache);
  const [first] = await readdir(cache);
  const longAgo = new Date('2020-01-01');
  await utimes(join(cache, first!), longAgo, longAgo);
  await writeFile(join(cache, 'other.png'), 'kept');
  const changed = { ...card!, svg: card!.svg.replace('Reviews of', 'Ratings of') };
  assert.equal(await writeCards(join(folder, 'two'), [changed], cache), 1);
  const left = await readdir(cache);
  assert.ok(!left.includes(first!));
  assert.ok(left.includes('other.png'));
  const picture = (edition: string) => readFile(join(folder, edition, card!.path));
  assert.notDeepEqual(await picture('two'), await picture('one'));
});
