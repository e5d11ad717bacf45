import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildPublication } from '../../src/build/publication.ts';
import { writePictures } from '../../src/build/write-pictures.ts';
import { readContent } from '../../src/content/read-content.ts';
import { nearestCard, reviewCard } from '../../src/view/share-cards.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';

const { brand, cards, dataset, insights, months } = buildPublication(
  await readContent(DATASET),
  'https://reviews.example',
);
const FEW = [...cards.values()].slice(1, 4);

test('the site, its sections, every aspect, every person and every month have a card', () => {
  const technician = insights.entities.technicians.find((one) => one.mention_count > 0);
  const paths = [
    '/',
    '/reviews/',
    '/insights/',
    '/faq/',
    '/method/',
    '/developers/',
    ...insights.aspects
      .filter((aspect) => aspect.mention_count > 0)
      .map(({ id }) => `/insights/${id}/`),
    `/technicians/${technician!.id}/`,
    ...[...months.keys()].map((month) => `/reviews/${month}/`),
  ];
  for (const path of paths) assert.ok(cards.has(path), path);
});

test('a page without a card shows the one of the page above it', () => {
  const month = [...months.keys()][0]!;
  for (const [path, above] of [
    [`/reviews/${month}/2/`, `/reviews/${month}/`],
    ['/developers/search/', '/developers/'],
    ['/privacy/', '/'],
  ] as const) {
    assert.equal(nearestCard(cards, path), cards.get(above), path);
  }
});

test('equal cards of two reviews are written at the same time', async (context) => {
  const folder = await temporaryFolder(context);
  const { path, svg, width } = reviewCard(brand, dataset.reviews[0]!);
  const twice = [path, '/cards/other.png'].map((path) => ({ path, svg, width }));
  await writePictures(folder, twice, join(folder, 'cache'));
  const [one, other] = await Promise.all(twice.map(({ path }) => readFile(join(folder, path))));
  assert.deepEqual(one, other);
});

test('a card is drawn once: then it is copied, with the same bytes', async (context) => {
  const folder = await temporaryFolder(context);
  const cache = join(folder, 'cache');
  assert.equal(await writePictures(join(folder, 'one'), FEW, cache), FEW.length);
  assert.equal(await writePictures(join(folder, 'two'), FEW, cache), 0);
  await rm(cache, { recursive: true });
  assert.equal(await writePictures(join(folder, 'three'), FEW, cache), FEW.length);
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
  await writePictures(join(folder, 'one'), [card!], cache);
  const [first] = await readdir(cache);
  const longAgo = new Date('2020-01-01');
  await utimes(join(cache, first!), longAgo, longAgo);
  await writeFile(join(cache, 'other.png'), 'kept');
  const changed = { ...card!, svg: card!.svg.replace('Reviews of', 'Ratings of') };
  assert.equal(await writePictures(join(folder, 'two'), [changed], cache), 1);
  const left = await readdir(cache);
  assert.ok(!left.includes(first!));
  assert.ok(left.includes('other.png'));
  const picture = (edition: string) => readFile(join(folder, edition, card!.path));
  assert.notDeepEqual(await picture('two'), await picture('one'));
});
