import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { ImportResult } from '../../src/owner/import/import-files.ts';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { deriveId } from '../../src/owner/import/candidate.ts';
import { tombstone } from '../../src/schema/provenance.ts';
import { emptyDataset, NOW, type Dataset, test } from '../support/import.ts';
import { record } from '../support/reviews.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { readContent } from '../../src/content/read-content.ts';

interface Written {
  id: string;
  name?: string;
  stars: number;
  day: number;
  text?: string;
  /** Day and hour of the newest version. */
  edited?: number;
  version?: number;
  reply?: string;
}

const timeOf = (day: number, hour = 0) => new Date(Date.UTC(2024, 0, day, hour)).toISOString();

/** Reviews as the Google API has them. */
function google(reviews: readonly Written[]): string {
  return JSON.stringify({
    reviews: reviews.map(({ id, stars, day, text, edited = 32, version = 10, ...more }) => ({
      reviewId: id,
      reviewer: { displayName: more.name ?? `Author ${id}` },
      starRating: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'][stars - 1],
      comment: text,
      createTime: timeOf(day),
      updateTime: timeOf(edited, version),
      ...(more.reply && { reviewReply: { comment: more.reply, updateTime: timeOf(32) } }),
    })),
  });
}

const FIRST: Written = { id: 'a', stars: 5, day: 3, text: 'Swift and tidy work.', version: 1 };
const SECOND: Written = { id: 'b', stars: 2, day: 4, text: 'Nobody came at all.', version: 1 };

function counted({ counts }: ImportResult): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

const MAP = parseMap('id=id,rating=rating,date=date,text=text');

const importAs = (dataset: Dataset, reviews: readonly Written[], options = {}) =>
  dataset.runText('reviews.json', google(reviews), options);

test('importing twice changes no byte', async (dataset) => {
  assert.equal(counted(await importAs(dataset, [FIRST, SECOND])), '2 added');
  const before = await dataset.files();
  const later = { now: '2026-03-08T12:00:00Z' };
  const again = await importAs(dataset, [SECOND, FIRST], later);
  assert.equal(counted(again), '2 unchanged');
  // Another file of the same reviews is another import, and that is all that is written.
  assert.deepEqual(again.written, ['imports.jsonl']);
  const third = await importAs(dataset, [SECOND, FIRST], later);
  assert.deepEqual(third.written, []);
  const { 'imports.jsonl': _, ...after } = await dataset.files();
  const { 'imports.jsonl': __, ...unchanged } = before;
  assert.deepEqual(after, unchanged);
});

test('is independent of the order of rows, files and imports', async (_, context) => {
  const written = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    stars: fc.integer({ min: 1, max: 5 }),
    text: fc.constantFrom('Good work, all of it.', 'Late.', 'Muy buen trabajo.', ' ', '\u202eok'),
    version: fc.integer({ min: 0, max: 4 }),
    reply: fc.constantFrom('', 'Thanks!'),
  });
  const withDay = written.map((fields) => ({ ...fields, day: fields.id.charCodeAt(0) - 90 }));
  const batch = fc.array(withDay, { minLength: 1, maxLength: 5 });
  const batches = fc.array(batch, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(batches, fc.infiniteStream(fc.nat()), async (lists, numbers) => {
      const [one, two, three] = await Promise.all([1, 2, 3].map(() => emptyDataset(context)));
      for (const list of lists) await importAs(one!, list);
      for (const list of shuffled(lists, numbers)) await importAs(two!, shuffled(list, numbers));
      for (const list of lists) await importAs(two!, list);
      await importAs(three!, shuffled(lists.flat(), numbers));
      const records = await one!.records();
      assert.deepEqual(await two!.records(), records);
      assert.deepEqual(await three!.records(), records);
    }),
    { numRuns: 8 },
  );
});

function shuffled<T>(items: readonly T[], numbers: Iterator<number>): T[] {
  return items
    .map((item) => [numbers.next().value as number, item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

test('an edit changes words, stars, answer and time, and nothing else', async (dataset) => {
  await importAs(dataset, [FIRST, SECOND]);
  const [before] = await dataset.records();
  const edited = { ...FIRST, stars: 3, text: 'It broke again.', version: 9, reply: 'Sorry!' };
  const result = await importAs(dataset, [edited, SECOND]);
  assert.equal(counted(result), '1 changed, 1 unchanged');
  const [after] = await dataset.records();
  const { rating, text, owner_reply, updated_at, source_digest, ...rest } = after!;
  assert.deepEqual([rating, text, owner_reply?.text], [3, 'It broke again.', 'Sorry!']);
  assert.equal(updated_at, '2024-02-01T09:00:00Z');
  assert.deepEqual({ ...before!, ...rest }, { ...before! });
  assert.notEqual(source_digest, before!.source_digest);
  assert.deepEqual(result.rows[0], {
    outcome: 'changed',
    place: 'reviews.json:1',
    detail: `${before!.id} rating, text, source_digest, owner_reply, updated_at`,
  });
});

test('dates an edit by the import where the platform does not', async (dataset) => {
  const csv = (text: string) => `id,rating,date,text\n7,4,2024-01-02,${text}\n`;
  await dataset.runText('a.csv', csv('Good.'), { map: MAP, source: 'google' });
  assert.deepEqual(await dataset.column('updated_at'), [undefined]);
  await dataset.runText('a.csv', csv('Better.'), { map: MAP, source: 'google' });
  assert.deepEqual(await dataset.column('updated_at'), [NOW]);
});

test('an older export does not undo an edit', async (dataset) => {
  await importAs(dataset, [{ ...FIRST, text: 'Newer words.', version: 5 }]);
  const result = await importAs(dataset, [FIRST]);
  assert.deepEqual(result.skipped, { 'is older than the version in content/': 1 });
  assert.deepEqual(await dataset.column('text'), ['Newer words.']);
});

test('keeps what people edited until the platform has something new', async (dataset) => {
  const phone = { ...FIRST, text: 'Call me at +1 207 555 0142, it was fine work.' };
  await importAs(dataset, [phone]);
  await dataset.edit('reviews/2024.jsonl', (text) =>
    text
      .replace(' at +1 207 555 0142', '')
      .replace('"verified":true', '"verified":false')
      .replace('Author a', 'A customer'),
  );
  const edited = await dataset.records();
  assert.equal(counted(await importAs(dataset, [phone])), '1 unchanged');
  assert.deepEqual(await dataset.records(), edited);
  const result = await importAs(dataset, [{ ...FIRST, text: 'All new words.', version: 3 }]);
  assert.equal(result.cleaned.overwritten, 1);
  const kept = [['All new words.', false, 'A customer']];
  assert.deepEqual(await dataset.values('text', 'verified', 'author'), kept);
});

test('keeps a corrected language while the words stay', async (dataset) => {
  await importAs(dataset, [{ ...FIRST, text: 'Top, prima!' }]);
  await dataset.edit('reviews/2024.jsonl', (text) =>
    text.replace('"source":', '"language":"de","source":'),
  );
  await importAs(dataset, [{ ...FIRST, text: 'Top, prima!', stars: 4, version: 2 }]);
  assert.deepEqual(await dataset.column('language'), ['de']);
});

test('adopts a review that was typed by hand, with its id', async (dataset) => {
  await importAs(dataset, [SECOND]);
  const id = '01HK69XB000EEWNQ8N04T8XYMB';
  const text = 'Swift and  tidy work. ';
  const typed = record({ id, author: 'Author a', date: '2024-01-03', text });
  await dataset.edit('reviews/2024.jsonl', (text) => `${text}${JSON.stringify(typed)}\n`);
  assert.equal(counted(await importAs(dataset, [FIRST, SECOND])), '1 changed, 1 unchanged');
  assert.equal((await dataset.records())[0]!.id, typed.id);
  assert.deepEqual(await dataset.column('source_id'), ['a', 'b']);
});

type NamedText = readonly [name: string, text: string];

/** A review without its id; crawlers have the day of an edit. */
type Rated = Pick<Written, 'stars' | 'day' | 'edited' | 'text'> & { name: string };

/** Reviews as Takeout has them, and as Outscraper does: with other ids. */
const TOOLS = {
  takeout: (ratings: readonly Rated[], place = '') =>
    google(ratings.map((rated, row) => ({ edited: rated.day, ...rated, id: `AbF${place}${row}` }))),
  outscraper: (ratings: readonly Rated[]) => {
    const rows = ratings.map(
      ({ name, stars, day, edited = day, text = '' }, row) =>
        `${name},ChZ${row},${text},${stars},01/0${edited}/2024 10:00:00`,
    );
    const header = 'author_title,review_id,review_text,review_rating,review_datetime_utc';
    return [header, ...rows].join('\n');
  },
};

const RATED: readonly Rated[] = [
  { name: 'Ann Lee', stars: 5, day: 6, text: 'Great bread and kind people here' },
  { name: 'Bob Ray', stars: 2, day: 6 },
  { name: 'Cy Poe', stars: 5, day: 7, edited: 9 },
  { name: 'Di Roe', stars: 1, day: 8 },
];

test('a review is one, whichever tools name it, in any order and all together', async (_, context) => {
  const files: NamedText[] = [
    ['takeout.json', TOOLS.takeout(RATED)],
    ['outscraper.csv', TOOLS.outscraper(RATED)],
  ];
  for (const display of ['full', 'initials']) {
    for (const order of [files, files.toReversed()]) {
      const [first, ...later] = [...order, ...order];
      const one = await emptyDataset(context, { author_display: display });
      await one.runText(...first!);
      const ids = await one.column('id');
      for (const file of later) assert.equal((await one.runText(...file)).counts.added, 0);
      assert.deepEqual(await one.column('id'), ids, `${display}, ${first![0]} first`);
      const both = await emptyDataset(context, { author_display: display });
      assert.equal(counted(await both.runTexts(order)), '4 added, 4 skipped');
    }
  }
});

/** Imports reviews from Takeout, then reviews from Outscraper, and returns what became of these. */
async function takenOver(context: TestContext, first: Rated[], then: Rated[]): Promise<string> {
  const dataset = await emptyDataset(context);
  await dataset.runText('takeout.json', TOOLS.takeout(first));
  return counted(await dataset.runText('outscraper.csv', TOOLS.outscraper(then)));
}

test('reviews of two people, days, stars or texts are two, with words and without', async (_, context) => {
  const wordless: Rated = { name: 'Bob Ray', stars: 2, day: 6 };
  const worded = { ...wordless, text: 'Nobody came at all.' };
  const others = [{ name: 'Bo Ryan' }, { name: 'Bob Roy' }, { day: 7 }, { stars: 3 }];
  for (const known of [wordless, worded]) {
    for (const other of known === worded ? [...others, { text: 'Nobody came.' }] : others) {
      const done = await takenOver(context, [known], [{ ...known, ...other }]);
      assert.match(done, /^1 added/, JSON.stringify(other));
    }
  }
});

test('ratings of nobody are as many as the tool has that has most of them', async (_, context) => {
  for (const name of ['', 'A Google user']) {
    const rated = { name, stars: 2, day: 6 };
    const done = await takenOver(context, [rated], [rated, rated]);
    assert.equal(done, '1 added, 1 unchanged');
  }
});

test('knows a review without an id by a long text, whatever its author is called', async (dataset) => {
  const options = { source: 'google', accept: () => Promise.resolve(true) };
  const texts = [40, 39].map((length) => 'x'.repeat(length));
  const rows = texts.map((text, at) => `5,2024-01-06,${'XY'[at]} Poe,${text}`);
  await dataset.runText('a.csv', ['rating,date,author,text', ...rows].join('\n'), options);
  const rated = texts.map((text, at) => ({ name: `${'AB'[at]} Lee`, stars: 5, day: 6, text }));
  const result = await dataset.runText('takeout.json', TOOLS.takeout(rated));
  assert.equal(counted(result), '1 added, 1 changed, 1 vanished');
});

const WHOLE = 'The bread was great and the people kind, but the queue on Sundays is long.';
const CUT = `${WHOLE.slice(0, 50)}...`;

test('a cut text is the review that another tool has in full, and never replaces it', async (_, context) => {
  const rated = (text: string) => [{ name: 'Ann Lee', stars: 5, day: 6, text }];
  const tools = [
    (text: string): NamedText => ['takeout.json', TOOLS.takeout(rated(text))],
    (text: string): NamedText => ['outscraper.csv', TOOLS.outscraper(rated(`"${text}"`))],
  ];
  for (const [first, second] of [tools, tools.toReversed(), [tools[0]!, tools[0]!]]) {
    for (const texts of [[WHOLE, CUT] as const, [CUT, WHOLE] as const]) {
      const dataset = await emptyDataset(context);
      await dataset.runText(...first!(texts[0]));
      await dataset.runText(...second!(texts[1]));
      assert.deepEqual(await dataset.column('text'), [WHOLE]);
    }
  }
});

test('a review that was held back stays so if the next file does not tell', async (dataset) => {
  const options = { source: 'shop', verification: 'Customers.', accept: async () => true };
  const rows = ['Ann,5,2024-05-06,Good bread', 'Bob,1,2024-05-07,Stale rolls'];
  const csv = (header: string, states: string[]) =>
    [header, ...rows.map((row, index) => row + (states[index] ?? ''))].join('\n');
  const plain = 'name,rating,date,text';
  await dataset.runText('a.csv', csv(`${plain},status`, [',approved', ',hidden']), options);
  await dataset.runText('b.csv', csv(plain, []), options);
  assert.deepEqual(await dataset.column('verified'), [true, false]);
  await dataset.runText('a.csv', csv(`${plain},status`, [',approved', ',approved']), options);
  assert.deepEqual(await dataset.column('verified'), [true, true]);
});

test('a file that has a review twice has two, and another tool does not add more', async (_, context) => {
  for (const rated of RATED.slice(0, 2)) {
    const done = await takenOver(context, [rated, rated], [rated, rated, rated]);
    assert.equal(done, '1 added, 2 unchanged');
  }
});

test('customers of a shop may rate it twice a day, as platforms of orders let them', async (dataset) => {
  const csv = (id: string) => `id,rating,date,author,text\n${id},5,2024-05-06,Ann Lee,\n`;
  const options = { source: 'judge-me', accept: () => Promise.resolve(true) };
  await dataset.runText('a.csv', csv('a'), options);
  const other = csv('b').replace('rating', 'stars');
  assert.equal(counted(await dataset.runText('b.csv', other, options)), '1 added, 1 vanished');
});

test('one customer with the same words at two branches has two reviews', async (_, context) => {
  const branches = ['x', 'y'].map((at) => [`${at}.json`, TOOLS.takeout(RATED, at)] as const);
  const later = await emptyDataset(context);
  for (const branch of branches) assert.equal((await later.runText(...branch)).counts.added, 4);
  const together = await emptyDataset(context);
  assert.equal(counted(await together.runTexts(branches)), '8 added');
});

test('the same long words on two platforms are two reviews, and the report names both', async (dataset) => {
  const text = 'They came on a Sunday, and the kitchen was dry again in an hour.';
  await importAs(dataset, [{ ...FIRST, text }]);
  const [known] = await dataset.records();
  const csv = `id,rating,date,author,text\n7,5,2024-02-09,A. N.,"${text}"\n`;
  const options = { source: 'yelp', accept: () => Promise.resolve(true) };
  const alike = (rows: ImportResult['rows']) =>
    rows.filter(({ outcome }) => outcome === 'same words');
  const { counts, rows } = await dataset.runText('yelp.csv', csv, options);
  assert.equal(counts.added, 1);
  const detail = `as ${known!.id} (google, 2024-01-03): perhaps of one person`;
  assert.deepEqual(alike(rows), [{ outcome: 'same words', place: 'yelp.csv:2', detail }]);
  const again = await dataset.runText('yelp.csv', csv, options);
  assert.deepEqual(alike(again.rows), []);
});

test('many equal ratings of two tools are matched in linear time', async (dataset) => {
  const many = Array.from({ length: 20_000 }, () => RATED[1]!);
  const begin = process.cpuUsage();
  const isRoutine = true; // which may have one day alone
  await dataset.runText('takeout.json', TOOLS.takeout(many), { isRoutine });
  const result = await dataset.runText('outscraper.csv', TOOLS.outscraper(many), { isRoutine });
  assert.equal(counted(result), '20000 unchanged');
  const { user, system } = process.cpuUsage(begin);
  assert.ok(user + system < 20e6, `${(user + system) / 1e6} s of CPU`);
});

test('tells rows without id or words apart by their number', async (dataset) => {
  const csv =
    'rating,date,text\n5,2024-01-01,\n5,2024-01-01,\n4,2024-01-01,Fine\n4,2024-01-01,Fine\n';
  const options = { map: parseMap('rating=rating,date=date,text=text'), source: 'google' };
  assert.equal(counted(await dataset.runText('a.csv', csv, options)), '3 added, 1 skipped');
  assert.equal(counted(await dataset.runText('a.csv', csv, options)), '3 unchanged, 1 skipped');
});

test('leaves a tombstone of what a full export no longer has, and keeps it out', async (dataset) => {
  await importAs(dataset, [FIRST, SECOND]);
  const [first] = await dataset.records();
  assert.equal(counted(await importAs(dataset, [SECOND])), '1 unchanged, 1 vanished');
  assert.equal((await dataset.records()).length, 2);
  const result = await importAs(dataset, [SECOND], { withdraw: true });
  assert.equal(counted(result), '1 unchanged, 1 withdrawn');
  const files = await dataset.files();
  assert.deepEqual(tombstone.parse(JSON.parse(files['withdrawn.jsonl']!)), {
    id: first!.id,
    date: '2024-01-03',
    source: 'google',
    source_id: 'a',
    withdrawn_at: NOW,
    reason: 'gone-from-platform',
  });
  assert.doesNotMatch(JSON.stringify(files), /Swift|Author a/);
  const again = await importAs(dataset, [FIRST, SECOND]);
  assert.equal(counted(again), '1 unchanged, 1 skipped');
});

test('does not offer to withdraw what was typed by hand or is on another platform', async (dataset) => {
  await dataset.run(['yelp.json']);
  await importAs(dataset, [FIRST]);
  await dataset.edit('reviews/2024.jsonl', (text) =>
    text.replace(/"source_digest":"[^"]*",/, '').replace('"source_id":"a",', ''),
  );
  assert.equal(counted(await importAs(dataset, [SECOND])), '1 added, 2 unchanged');
});

test('changes only the lines of what changed', async (dataset) => {
  await importAs(dataset, [FIRST, SECOND]);
  // A line that a person spaced otherwise stays as it is.
  await dataset.edit('reviews/2024.jsonl', (text) => text.replace('{"id":', '{ "id": '));
  const before = (await dataset.files())['reviews/2024.jsonl']!.split('\n');
  const third = { ...SECOND, id: 'c', day: 20 };
  await importAs(dataset, [FIRST, { ...SECOND, stars: 1, version: 2 }, third]);
  const after = (await dataset.files())['reviews/2024.jsonl']!.split('\n');
  assert.deepEqual([after.length, after[0]], [4, before[0]]);
  const fields = (line: string) => Object.keys(JSON.parse(line) as object);
  assert.deepEqual(fields(after[1]!), fields(before[1]!));
});

test('shortens names as business.json asks, and never writes the full one', async (_, context) => {
  const dataset = await emptyDataset(context, { author_display: 'first-initial' });
  await importAs(dataset, [FIRST]);
  assert.deepEqual(await dataset.column('author'), ['Author A.']);
  await dataset.edit('business.json', (text) => text.replace('first-initial', 'initials'));
  assert.equal(counted(await importAs(dataset, [FIRST])), '1 changed');
  assert.deepEqual(await dataset.column('author'), ['A. A.']);
  assert.doesNotMatch(JSON.stringify(await dataset.files()), /Author a/);
});

test('reports a reply that has the full name which the record does not show', async (_, context) => {
  const greeted = { ...FIRST, reply: 'Dear author A, thank you.' };
  const expected = { full: [], initials: ['name of the author'] };
  for (const [display, details] of Object.entries(expected)) {
    const dataset = await emptyDataset(context, { author_display: display });
    const { rows } = await importAs(dataset, [greeted]);
    const personal = rows.filter(({ outcome }) => outcome === 'personal data');
    const found = personal.map(({ detail }) => detail);
    assert.deepEqual(found, details);
  }
});

test('a platform may have the name of something that objects have', async (dataset) => {
  const [map, verification] = [MAP, 'Only guests can write.'];
  for (const source of ['constructor', 'tostring', '__proto__', 'hasownproperty']) {
    const csv = `id,rating,date,text\n7,4,2024-01-02,Good at ${source}.\n`;
    const unruled = dataset.runText('a.csv', csv, { map, source });
    await assert.rejects(unruled, /say what made sure that a review on \w+ is real/);
    await dataset.runText('a.csv', csv, { map, source, verification });
    await dataset.runText('a.csv', csv, { map, source }); // the rule is known now
  }
  const content = await readContent(dataset.folder);
  const { provenance, dataset: published } = buildPublication(content, 'https://reviews.example');
  const sources = ['constructor', 'hasownproperty', 'proto', 'tostring'];
  assert.deepEqual(provenance.sources.map(({ source }) => source).sort(), sources);
  for (const { verification: rule } of provenance.sources) assert.equal(rule, verification);
  const rated = published.aggregate_rating.by_source.map(({ source }) => source);
  assert.deepEqual(rated.sort(), sources);
});

test('derives ULIDs that sort by day and differ by source and id', () => {
  const ids = [
    deriveId('google', 'a', '2024-01-01'),
    deriveId('google', 'a', '2024-01-02'),
    deriveId('google', 'b', '2024-01-02'),
    deriveId('yelp', 'a', '2024-01-02'),
  ];
  assert.equal(new Set(ids).size, 4);
  for (const id of ids) assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assert.ok(ids.slice(1).every((id) => id > ids[0]!));
  assert.equal(ids[0], deriveId('google', 'a', '2024-01-01'));
});

test('a withdrawn review does not come back under the id of another tool', async (dataset) => {
  const rated = [
    { name: 'Ann Lee', stars: 5, day: 6, text: 'Good bread' },
    { name: 'Bob Ray', stars: 1, day: 7, text: 'Stale rolls' },
  ];
  await dataset.runText('takeout.json', TOOLS.takeout(rated));
  await dataset.runText('takeout.json', TOOLS.takeout([rated[0]!]), { withdraw: 1 });
  const other = await dataset.runText('outscraper.csv', TOOLS.outscraper(rated));
  assert.equal(counted(other), '1 unchanged, 1 skipped');
  assert.match(Object.keys(other.skipped).join(), /may be a review of its day that was withdrawn/);
  const again = [...rated, { ...rated[0]!, day: 7, name: 'Cy Poe' }];
  const result = await dataset.runText('takeout.json', TOOLS.takeout(again));
  assert.equal(counted(result), '1 added, 1 unchanged, 1 skipped');
});
