import assert from 'node:assert/strict';
import { importReviews } from '../../src/owner/commands/import.ts';
import { type Dataset, test } from '../support/import.ts';
import { runHere } from '../support/run-here.ts';

const accept = async () => true;
const SHOP = { source: 'shop', verification: 'Sent after an order.' };

/** The reviews of two branches and a rival, in a known format. */
const PLACES = [
  'place_id,author_title,review_id,review_text,review_rating,review_datetime_utc',
  'P1,Ada,a1,Warm and quick,5,05/06/2024 10:00:00',
  'P2,Bo,a2,Nobody came,1,05/07/2024 10:00:00',
  'P3,Cy,a3,Never again,2,05/08/2024 10:00:00',
].join('\n');

const authors = async (dataset: Dataset) =>
  (await dataset.records()).filter(({ verified }) => verified).map(({ author }) => author);

test('asks which places are the business, and the next import asks nothing', async (dataset) => {
  const several = /several places or kinds in place_id: "P1" \(1 row\)/;
  await assert.rejects(dataset.runText('a.csv', PLACES), several);
  const first = await dataset.runText('a.csv', PLACES, { place: ['P1', 'p2'] });
  assert.equal(first.files[0]!.rowAccount['not of this business'], 1);
  // A rival that is new stays out, too.
  const next = `${PLACES}\nP4,Dee,a4,Another rival,1,05/09/2024 10:00:00\nP1,Eli,a5,Fine,4,05/09/2024 10:00:00`;
  await dataset.runText('b.csv', next);
  assert.deepEqual(await authors(dataset), ['Ada', 'Bo', 'Eli']);
});

test('keeps a column as attributes, in the next import too', async (dataset) => {
  const csv = [
    'Rating,Date,Review,Guest_Country,Room',
    '5,2024-05-01,Quiet,Germany,Double',
    '2,2024-05-02,Loud,,Single',
  ].join('\n');
  const keeping = (column: string) =>
    dataset.runText('a.csv', csv, { ...SHOP, accept, map: { keep: [column] } });
  await dataset.runText('a.csv', csv, { ...SHOP, accept });
  assert.deepEqual(await dataset.column('attributes'), [undefined, undefined]);
  await assert.rejects(keeping('Nation'), /has no column Nation/);
  assert.equal((await keeping('guest_country')).counts.changed, 1);
  assert.deepEqual(await dataset.column('attributes'), [{ 'Guest Country': 'Germany' }, undefined]);
  await dataset.runText('b.csv', `${csv}\n4,2024-05-03,Fine,Peru,Double`, SHOP);
  assert.deepEqual((await dataset.column('attributes'))[2], { 'Guest Country': 'Peru' });
  // The columns that were named before stay named.
  const more = await dataset.runText('b.csv', csv, { ...SHOP, map: { keep: ['Room'] } });
  assert.deepEqual([more.counts.added, more.counts.changed], [0, 2]);
});

test('refuses to keep a column that tells each review from the others', async (dataset) => {
  const rows = Array.from({ length: 510 }, (_, at) => `5,2024-05-01,Text ${at} of a guest,N${at}`);
  const csv = ['Rating,Date,Review,Order', ...rows].join('\n');
  const kept = dataset.runText('a.csv', csv, { ...SHOP, accept, map: { keep: ['Order'] } });
  await assert.rejects(kept, /Order has 510 different values, and at most 500 can be kept/);
});

test('asks again where a table has none of the places', async (dataset) => {
  await dataset.runText('a.csv', PLACES, { place: ['P1'] });
  const others = PLACES.replace('P1,', 'P9,').replaceAll(',a', ',b');
  await assert.rejects(dataset.runText('a.csv', others), /several places/);
  const [header, , other] = PLACES.split('\n');
  await assert.rejects(dataset.runText('a.csv', `${header}\n${other}`), /P2.*--place/s);
});

test('takes a column with another place in nearly each row for that of the authors', async (dataset) => {
  const rows = ['Graz', 'Linz', 'Wels', 'Bonn', 'Ulm', 'Graz'].map(
    (town, row) => `Guest ${row},${town},${(row % 5) + 1},2024-05-0${row + 1},Text number ${row}`,
  );
  const csv = ['name,location,rating,date,review', ...rows].join('\n');
  const { counts } = await dataset.runText('a.csv', csv, { ...SHOP, accept });
  assert.equal(counts.added, 6);
});

const stated = (...states: string[]) =>
  [
    'Name,Rating,Date,Review,Status',
    ...states.map(
      (state, row) => `Guest ${row},${(row % 5) + 1},2024-05-0${row + 1},Text ${row},${state}`,
    ),
  ].join('\n');

test('asks for the place or state that a kept column tells', async (dataset) => {
  const csv = stated('published', 'rejected', 'odd');
  const options = { ...SHOP, accept, map: { keep: ['Status'] } };
  await assert.rejects(dataset.runText('a.csv', csv, options), /--shown/);
  const keep = { map: { keep: ['place_id'] } };
  await assert.rejects(dataset.runText('b.csv', PLACES, keep), /several places/);
});

test('asks what the values of a state mean, and again only for a new one', async (dataset) => {
  const questions: string[] = [];
  const ask = async ({ message, option }: { message: string; option: string }) => {
    questions.push(message);
    return option === 'shown' ? 'Status=done,sent' : undefined;
  };
  const csv = stated('done', 'sent', 'blub', 'done');
  const unasked = dataset.runText('a.csv', csv, { ...SHOP, accept });
  await assert.rejects(unasked, /column Status may say .*"done" \(2 rows\).*--shown 'Status=…'/s);
  await dataset.runText('a.csv', csv, { ...SHOP, accept, ask });
  assert.deepEqual(await authors(dataset), ['Guest 0', 'Guest 1', 'Guest 3']);
  assert.equal(questions.length, 1);
  await dataset.runText('b.csv', stated('done', 'sent', 'blub', 'done', 'rejected'));
  assert.deepEqual(await authors(dataset), ['Guest 0', 'Guest 1', 'Guest 3']);
  await assert.rejects(dataset.runText('c.csv', stated('done', 'grey')), /"grey" \(1 row\)/);
});

test('remembers an accepted guess with its platform and scale', async (dataset) => {
  const csv = 'Guest,Points,Day,Words\nAda,9,2024-05-01,Warm rooms\nBo,7,2024-05-02,A bit loud\n';
  const map = { author: ['Guest'], rating: ['Points'], date: ['Day'], text: ['Words'] };
  await dataset.runText('a.csv', csv, { ...SHOP, map, scale: 10 });
  // A month with low points alone would look like stars.
  await dataset.runText('b.csv', `${csv}Cy,4,2024-06-01,Cold coffee\n`);
  assert.deepEqual(await dataset.column('rating'), [5, 4, 2]);
});

test('refuses a scale that the platform or all ratings contradict', async (dataset) => {
  const csv = 'name,rating,date\nAda,5,2024-01-01\nBo,2,2024-01-02\nCy,4,2024-01-03\n';
  for (const [source, scale, reason] of [
    ['google', 10, /--scale 10: the ratings in rating go up to 5, and the platform's are out of 5/],
    ['booking', 100, /--scale 100: the ratings in rating go up to 5, and the platform's are out/],
    ['shop', 100, /--scale 100: the ratings in rating go up to 5: leave the option out/],
  ] as const) {
    await assert.rejects(dataset.runText('a.csv', csv, { source, scale, accept }), reason);
  }
});

test('asks about a 0 on the scale that is stated', async (dataset) => {
  const csv = 'name,rating,date\nAda,0,2024-01-01\nBo,4,2024-01-02\n';
  const options = { ...SHOP, scale: 10, map: { rating: ['rating'], date: ['date'] } };
  const zero = /from 0 to 4: .* or none: --scale '0-10' or --scale '1-10'/;
  await assert.rejects(dataset.runText('a.csv', csv, options), zero);
});

test('names what is not read with values of every kind', async (dataset) => {
  const json =
    '[{"name":"Ada","rating":5,"date":"2024-01-01","recommended":true,"aspects":["bread"]}]';
  const { files } = await dataset.runText('a.json', json, { source: 'google', accept });
  assert.match(files[0]!.columns.join(), /recommended \("true"\); aspects \("bread"\)/);
});

test('explains a file with what it would ask, and writes nothing', async (dataset) => {
  await dataset.runText('a.csv', PLACES, { place: ['P1'], dryRun: true });
  const before = await dataset.files();
  const args = [`${dataset.folder}/../a.csv`, '--explain'];
  const { output, error } = await runHere(importReviews, dataset.folder, args);
  assert.equal(error, undefined);
  assert.match(output, /3 rows → 3 published/);
  assert.match(output, /columns: author_title → author, review_id → id/);
  assert.match(output, /not read: place_id \("P1", "P2"\)/);
  assert.match(output, /asks: a\.csv: has reviews of several places/);
  assert.deepEqual(await dataset.files(), before);
});
