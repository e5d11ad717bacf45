import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { reviewLines } from '../../src/dataset/document.ts';
import { SearchIndex, type MentionNames } from '../../src/search/search-index.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import type { Review } from '../../src/schema/review.ts';
import type { SearchFilters } from '../../src/schema/search.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { naiveSearch } from '../support/naive-search.ts';
import { Random } from '../support/random.ts';

const QUERIES = 5_000;

let reviews: Review[];
let names: MentionNames;
let index: SearchIndex;

before(async () => {
  const client = await sampleEdition();
  const manifest = JSON.parse(await readFile(join(client, 'edition.json'), 'utf8')) as Manifest;
  ({ names } = manifest);
  ({ reviews } = await readDataset(client));
  index = new SearchIndex(reviewLines(await readFile(join(client, 'reviews.json'))), names);
});

test(`answers ${QUERIES} random searches of the sample as a plain filter does`, () => {
  const random = new Random(20260514);
  const texts = reviews.flatMap(({ text }) => text ?? []);
  let withMatches = 0;
  for (let query = 0; query < QUERIES; query++) {
    const filters = randomFilters(random, texts);
    const expected = naiveSearch(reviews, names, filters);
    const { matched, positions } = index.search(filters);
    const found = positions.map((position) => reviews[position]!.id);
    const ids = expected.reviews.map(({ id }) => id);
    assert.deepEqual({ matched, found }, { matched: expected.matched, found: ids }, show(filters));
    if (matched > 0) withMatches++;
  }
  assert.ok(withMatches > QUERIES / 4, `only ${withMatches} searches found anything`);
});

test('finds every piece of up to three characters that the sample has', () => {
  const texts = reviews.flatMap(({ text }) => text ?? []);
  const pieces = new Set(texts.flatMap((text) => [...text].map((_, at) => text.slice(at, at + 3))));
  for (const query of [...pieces].flatMap((piece) => [piece, piece.slice(0, 2), piece[0]!])) {
    const filters = { query, limit: 100 };
    assert.equal(
      index.search(filters).matched,
      naiveSearch(reviews, names, filters).matched,
      show(filters),
    );
  }
});

test('never gives the same search another answer, whatever was asked in between', () => {
  const filters: SearchFilters = { query: 'the ', rating: 5, limit: 100 };
  const first = index.search(filters);
  for (const query of ['the', 'the ', ' t', 'e t', 'a']) {
    index.search({ query, rating: 1, limit: 1 });
    index.search({ query, since: '2030-01-01', limit: 1 });
  }
  assert.deepEqual(index.search(filters), first);
});

/** Returns filters; half of them have a query, and each other filter is in a quarter of them. */
function randomFilters(random: Random, texts: readonly string[]): SearchFilters {
  const some = <T>(value: () => T) => (random.below(4) === 0 ? value() : undefined);
  const filters = {
    rating: some(() => 1 + random.below(5)),
    min_rating: some(() => 1 + random.below(9) / 2),
    since: some(() => randomDay(random)),
    until: some(() => randomDay(random)),
    query: random.below(2) === 0 ? randomPattern(random, texts) : undefined,
    mentions_technician: some(() => randomName(random, names.technicians)),
    mentions_service: some(() => randomName(random, names.services)),
    limit: 1 + random.below(100),
  };
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined),
  ) as unknown as SearchFilters;
}

/** Returns mostly a piece of a text; otherwise something that may occur nowhere. */
function randomPattern(random: Random, texts: readonly string[]): string {
  const text = random.pick(texts);
  const at = random.below(text.length);
  const piece = text.slice(at, at + 1 + random.below(random.pick([2, 4, 12, 40]))) || 'a';
  const shape = random.below(10);
  if (shape === 0) return piece.toUpperCase();
  if (shape === 1) return ` ${piece.trim()} `;
  if (shape === 2) return piece.normalize('NFD');
  if (shape === 3) return piece + random.pick(texts).slice(0, 3);
  if (shape === 4) return random.pick(['. ', ', ', '!', '...', ' - ', '$', '\n', '’', "'", '  ']);
  return piece;
}

function randomDay(random: Random): string {
  const anyDay = Date.UTC(2018, 0, 1) + random.below(9 * 365) * 86_400_000;
  return random.below(2) === 0
    ? random.pick(reviews).date
    : new Date(anyDay).toISOString().slice(0, 10);
}

function randomName(random: Random, entries: MentionNames['services']): string {
  const { id, names } = random.pick(entries);
  const name = random.pick([id, ...names, 'nobody']);
  return random.below(2) === 0 ? name.toUpperCase() : name;
}

function show(filters: SearchFilters): string {
  return `differs for ${JSON.stringify(filters)}`;
}
