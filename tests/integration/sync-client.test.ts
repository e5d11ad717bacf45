import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { buildPublication, type Publication } from '../../src/build/publication.ts';
import { readContent } from '../../src/content/read-content.ts';
import { sinceBody } from '../../src/dataset/since.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { buildChanges, monthDocuments, serializeChanges } from '../../src/resources/changes.ts';
import { CHANGES_PATH, REVIEWS_PATH, SINCE_PATH } from '../../src/paths.ts';
import type { Review } from '../../src/schema/review.ts';
import { ROOT } from '../support/fixtures.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { run } from '../support/run.ts';
import { serve } from '../support/serve.ts';

const CLIENT = join(ROOT, 'src/developers/sync/copy.mjs');
const COLUMNS = ['id', 'rating', 'date', 'text', 'author'];
const options = {
  source: 'yelp',
  map: Object.fromEntries(COLUMNS.map((name) => [name, [name]])),
};

/** A site whose edition can be replaced, and the paths that were read of it. */
class Site {
  readonly dataset: Dataset;
  readonly #files = new Map<string, Buffer>();
  #publication!: Publication;
  asked: string[] = [];
  origin = '';
  /** Answers of caches that are behind, by path. */
  readonly stale = new Map<string, Buffer>();

  constructor(dataset: Dataset) {
    this.dataset = dataset;
  }

  async listen(context: TestContext): Promise<void> {
    this.origin = await serve(context, (request, response) => {
      const path = request.url!;
      const body = this.stale.get(path) ?? this.body(path);
      this.asked.push(path);
      if (!body) return void response.writeHead(404).end();
      const etag = strongETag(body);
      const isKnown = request.headers['if-none-match'] === etag;
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : body);
    });
  }

  body(path: string): Buffer | undefined {
    if (!path.startsWith(`${SINCE_PATH}/`)) return this.#files.get(path);
    const { dataset, lines } = this.#publication;
    const day = path.slice(SINCE_PATH.length + 1);
    const { length } = dataset.reviews.filter(({ date }) => date >= day);
    return Buffer.concat(sinceBody(lines, length, day));
  }

  /** Publishes an edition of the dataset as it is. */
  async publish(): Promise<Review[]> {
    const content = await readContent(this.dataset.folder);
    this.#publication = buildPublication(content, 'https://reviews.example');
    const { journal, lines, dataset } = this.#publication;
    this.#files.clear();
    this.#files.set(REVIEWS_PATH, Buffer.from(lines.bytes));
    this.#files.set(CHANGES_PATH, Buffer.from(serializeChanges(buildChanges(journal))));
    for (const [path, document] of monthDocuments(journal)) {
      this.#files.set(path, Buffer.from(serializeChanges(document)));
    }
    return dataset.reviews;
  }
}

async function setUp(context: TestContext) {
  const dataset = await emptyDataset(context);
  const site = new Site(dataset);
  await site.listen(context);
  const file = join(dataset.folder, '..', 'copy.json');
  const sync = () => run(process.execPath, [CLIENT], { SITE: site.origin, COPY: file });
  /** Publishes, runs the client, compares, and returns what it read besides the changes. */
  const step = async (): Promise<string[]> => {
    const reviews = await site.publish();
    site.asked = [];
    await sync();
    const copy = JSON.parse(await readFile(file, 'utf8')) as { reviews: Record<string, Review> };
    const sorted = Object.values(copy.reviews).sort((a, b) =>
      a.date + a.id < b.date + b.id ? 1 : -1,
    );
    assert.deepEqual(sorted, reviews);
    assert.equal(site.asked[0], CHANGES_PATH);
    return site.asked.slice(1);
  };
  return { dataset, site, sync, step, file };
}

const typed = [1, 2, 3, 4, 5, 6].map((number) =>
  record({ id: ulidOf(number), date: `2025-0${number}-10`, text: `Review ${number}.` }),
);

const write = (dataset: Dataset, records: readonly object[]) =>
  dataset.add('reviews/2025.jsonl', jsonl(...records));

/** An export of so many reviews, all of one year. */
function exportOf(count: number, stars = 5): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const day = String((at % 28) + 1).padStart(2, '0');
    return `y${at},${stars},2026-02-${day},,Customer ${at}`; // without words, which would be analyzed
  });
  return [COLUMNS.join(','), ...rows, ''].join('\n');
}

test('the client of the guide keeps an exact copy through ten editions, reading little', async (context) => {
  const { dataset, step } = await setUp(context);
  const importing = (text: string, now: string, more = {}) =>
    dataset.runText('export.csv', text, { ...options, ...more, now });

  await write(dataset, typed.slice(0, 5));
  await importing(exportOf(3), '2026-03-01T10:00:00Z');
  assert.deepEqual(await step(), ['/reviews.json'], '1: everything, once');
  assert.deepEqual(await step(), [], '2: nothing changed, an empty 304');
  await importing(exportOf(5), '2026-03-02T10:00:00Z');
  assert.deepEqual(await step(), ['/api/reviews/since/2026-02-04'], '3: two were added');
  await importing(exportOf(5, 4), '2026-05-02T10:00:00Z');
  assert.deepEqual(
    await step(),
    ['/api/reviews/since/2026-02-01'],
    '4: all were edited, two months later',
  );
  await importing(exportOf(4, 4), '2026-06-02T10:00:00Z', { withdraw: true });
  assert.deepEqual(await step(), [], '5: one is gone from its platform, and nothing is read');
  await importing(exportOf(520, 4), '2026-06-03T10:00:00Z');
  await importing(exportOf(520, 3), '2026-07-03T10:00:00Z');
  const pages = ['/changes/2026-07-1.json', '/changes/2026-06.json', '/changes/2026-06-1.json'];
  assert.deepEqual(
    await step(),
    [...pages, '/api/reviews/since/2026-02-01'],
    '6: more changes than one document has, over two months',
  );
  await write(dataset, [
    { ...typed[0], owner_reply: { text: 'Thanks!', date: '2025-01-11' } },
    { ...typed[1], verified: false },
    ...typed.slice(3),
  ]);
  await dataset.record('--withdraw', 'author-request');
  assert.deepEqual(
    await step(),
    ['/api/reviews/since/2025-01-10'],
    '7: a reply, one unverified, one deleted, one typed',
  );
  await write(dataset, [...typed.slice(0, 2), { ...typed[3], date: '2025-01-01' }]);
  assert.deepEqual(await step(), ['/reviews.json'], '8: edited by hand, and not recorded');
  await dataset.record('--withdraw', 'legal');
  assert.deepEqual(await step(), ['/reviews.json'], '9: recorded, and the copy has a place again');
  const parts = { rating: 4, score: { value: 8.4, best: 10 }, criticism_at: 0 };
  await write(dataset, [typed[0]!, { ...typed[3], ...parts, date: '2025-02-01' }]);
  await dataset.record('--withdraw', 'other');
  assert.deepEqual(
    await step(),
    ['/api/reviews/since/2025-02-01'],
    '10: a corrected date, a score and a criticism',
  );
  await rm(join(dataset.folder, 'journal'), { recursive: true });
  await dataset.record();
  assert.deepEqual(await step(), ['/reviews.json'], '11: the history was written anew');
});

test('a cache that is behind never makes the copy of the guide wrong', async (context) => {
  const { dataset, site, step, sync, file } = await setUp(context);
  await write(dataset, typed.slice(0, 2));
  await dataset.record();
  await step();
  const before = await readFile(file, 'utf8');
  const listing = '/api/reviews/since/2025-01-10';
  site.stale.set(listing, site.body(listing)!);
  await write(dataset, [{ ...typed[0], rating: 1 }, typed[1]!]);
  await dataset.record();
  await site.publish();
  await assert.rejects(sync(), /the listing is not as new as the changes/);
  assert.equal(await readFile(file, 'utf8'), before);
  site.stale.clear();
  assert.deepEqual(await step(), [listing]);
  // The first copy of another reader, made of an older dataset than the changes.
  await rm(file);
  site.stale.set(REVIEWS_PATH, site.body(REVIEWS_PATH)!);
  await write(dataset, [{ ...typed[0], rating: 2 }, typed[1]!]);
  await dataset.record();
  await site.publish();
  await sync();
  site.stale.clear();
  assert.deepEqual(await step(), [listing]);
});

test('a page of changes that is behind, or the last one of its time, is a gap, and the copy is read anew', async (context) => {
  const { dataset, site, step, file } = await setUp(context);
  const importing = (count: number, now: string) =>
    dataset.runText('export.csv', exportOf(count), { ...options, now });
  await importing(3, '2026-07-01T10:00:00Z');
  await step();
  const older = site.body('/changes/2026-07.json')!;
  await importing(5, '2026-07-02T10:00:00Z');
  await site.publish();
  const behind = site.body('/changes/2026-07.json')!;
  await importing(520, '2026-07-03T10:00:00Z');
  const copied = await readFile(file, 'utf8');
  for (const page of [older, behind]) {
    await writeFile(file, copied);
    site.stale.set('/changes/2026-07-1.json', page);
    assert.deepEqual(await step(), ['/changes/2026-07-1.json', '/reviews.json']);
  }
});

test('the client of the guide has sixty lines', async () => {
  const text = await readFile(CLIENT, 'utf8');
  assert.ok(text.trimEnd().split('\n').length <= 60);
});
