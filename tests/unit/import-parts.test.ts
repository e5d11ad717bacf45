import assert from 'node:assert/strict';
import { digestOf } from '../../src/owner/import/candidate.ts';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { csvLines } from '../../src/resources/reviews-csv.ts';
import { partsOf } from '../../src/schema/review-parts.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { type Dataset, test } from '../support/import.ts';
import { NO_LABELS, review, ulidOf } from '../support/reviews.ts';

const HEADER = 'Reviewer_Name,Review_Date,Reviewer_Score,Positive_Review,Negative_Review';
const ROWS = [
  'Ann Lee,05/14/2024,7.9,Kind staff,"Thin walls\n\nand no lift"',
  'Bo Kim,05/15/2024,10,Quiet room,No Negative',
  'Cy Poe,05/16/2024,2.5,No Positive,Everything',
  'Di Ray,05/17/2024,9.6,No Positive,No Negative',
];
const BOOKING = [HEADER, ...ROWS].join('\n');
const importBooking = (dataset: Dataset, options = {}) =>
  dataset.runText('booking.csv', BOOKING, options);

test('keeps the words of a form without labels, and the boundary of its parts', async (dataset) => {
  await importBooking(dataset);
  assert.deepEqual(await dataset.values('text', 'criticism_at'), [
    ['Kind staff\n\nThin walls\n\nand no lift', 12],
    ['Quiet room', 10],
    ['Everything', 0],
    [undefined, undefined],
  ]);
});

test('places the boundary in the words that are left', async (dataset) => {
  const row = 'Ann,05/14/2024,8,\u202e Kind\u200b staff ,Noise';
  await dataset.runText('booking.csv', `${HEADER}\n${row}`);
  const [record] = await dataset.records();
  assert.deepEqual(partsOf(record!), { praise: 'Kind staff', criticism: 'Noise' });
});

test('keeps the rating as its platform gave it, beside full stars', async (dataset) => {
  await importBooking(dataset);
  assert.deepEqual(await dataset.values('rating', 'score'), [
    [4, { value: 7.9, best: 10 }],
    [5, { value: 10, best: 10 }],
    [1, { value: 2.5, best: 10 }],
    [5, { value: 9.6, best: 10 }],
  ]);
});

test('keeps half stars as a score, and full ones as stars alone', async (dataset) => {
  const csv = 'r,d\n"4,5",2024-05-01\n4/5,2024-05-02\n87 / 100,2024-05-03';
  await dataset.runText('a.csv', csv, { map: parseMap('rating=r,date=d'), source: 'yelp' });
  assert.deepEqual(await dataset.values('rating', 'score'), [
    [5, { value: 4.5, best: 5 }],
    [4, undefined],
    [4, { value: 87, best: 100 }],
  ]);
});

test('joins columns of which one takes no side into paragraphs', async (dataset) => {
  const map = parseMap('rating=Score,date=Day,text=Comment+Liked+Disliked');
  const csv = 'Score,Day,Comment,Liked,Disliked\n4,2024-05-01,A stay,Beds,Noise';
  await dataset.runText('a.csv', csv, { map, source: 'yelp' });
  const joined = [['A stay\n\nBeds\n\nNoise', undefined]];
  assert.deepEqual(await dataset.values('text', 'criticism_at'), joined);
});

/** Turns the records into those of an import that put labels into the texts and kept no score. */
async function makeFormer(dataset: Dataset, edit = (text: string) => text): Promise<void> {
  const labels = [
    'Liked: Kind staff\n\nDisliked: Thin walls\n\nand no lift',
    'Liked: Quiet room',
    'Disliked: Everything',
  ];
  await dataset.edit('reviews/2024.jsonl', (lines) =>
    lines
      .trimEnd()
      .split('\n')
      .map((line, index) => {
        const { score: _, criticism_at: __, ...plain } = JSON.parse(line) as ReviewRecord;
        const former = { ...plain, text: labels[index] };
        const text = former.text && edit(former.text);
        return `${JSON.stringify({ ...former, text, source_digest: digestOf(former) })}\n`;
      })
      .join(''),
  );
}

test('takes the labels out of texts that were imported with them, once', async (dataset) => {
  await importBooking(dataset);
  const words = () => dataset.values('id', 'text', 'criticism_at', 'score');
  const expected = await words();
  await makeFormer(dataset);
  const first = await importBooking(dataset);
  assert.deepEqual([first.counts.changed, first.cleaned.overwritten], [4, 0]);
  assert.deepEqual(await words(), expected);
  assert.deepEqual((await importBooking(dataset)).written, []);
});

test('keeps what a person edited in a text with labels, and in stars beside it', async (dataset) => {
  await importBooking(dataset);
  await makeFormer(dataset, (text) => text.replace('Thin walls', '[removed]'));
  await dataset.edit('reviews/2024.jsonl', (lines) => {
    const [first, second, ...others] = lines.trimEnd().split('\n');
    const corrected = { ...(JSON.parse(second!) as ReviewRecord), rating: 3, language: 'sr' };
    return [first, JSON.stringify(corrected), ...others, ''].join('\n');
  });
  await importBooking(dataset);
  const [first, second] = await dataset.records();
  assert.equal(first!.text, 'Liked: Kind staff\n\nDisliked: [removed]\n\nand no lift');
  const { rating, text, language } = second!;
  assert.deepEqual([rating, text, language], [3, 'Liked: Quiet room', 'sr']);
  assert.deepEqual((await importBooking(dataset)).written, []);
});

test('adds the score to the same version of a record, whatever the order of the digests', async (dataset) => {
  const visit = '4.5,2024-05-01,2024-05-02T10:00:00Z,Visit';
  const rows = Array.from({ length: 12 }, (_, row) => `${visit} ${row}`);
  const options = { map: parseMap('rating=r,date=d,updated=u,text=t'), source: 'yelp' };
  const importAll = () => dataset.runText('a.csv', ['r,d,u,t', ...rows].join('\n'), options);
  await importAll();
  await dataset.edit('reviews/2024.jsonl', (lines) =>
    lines.replaceAll(/.+/g, (line) => {
      const { score: _, ...former } = JSON.parse(line) as ReviewRecord;
      return JSON.stringify({ ...former, source_digest: digestOf(former) });
    }),
  );
  assert.equal((await importAll()).counts.changed, rows.length);
  assert.deepEqual((await importAll()).written, []);
});

test('follows a platform on which words moved from praise to criticism', async (dataset) => {
  await dataset.runText('booking.csv', `${HEADER}\nAnn,05/14/2024,8,Noise,`);
  await dataset.runText('booking.csv', `${HEADER}\nAnn,05/14/2024,8,,Noise`);
  assert.deepEqual(await dataset.column('criticism_at'), [0]);
});

const PUBLISHED = [
  { text: 'Kind staff\n\nWalls', criticism_at: 12, rating: 4, score: { value: 8.4, best: 10 } },
  { text: 'Quiet room', criticism_at: 10, rating: 5, score: { value: 4.5, best: 5 } },
  { text: '=Everything', criticism_at: 0, rating: 1 },
  { text: 'Swift and tidy.' },
].map((fields, index) => review({ id: ulidOf(index + 1), ...fields }));
const LABELS = { per_review: Object.fromEntries(PUBLISHED.map(({ id }) => [id, NO_LABELS])) };
const OWN_FILES = {
  'reviews.json': JSON.stringify({ reviews: PUBLISHED }),
  'reviews.csv': [...csvLines(PUBLISHED, LABELS)].join(''),
};

for (const [name, content] of Object.entries(OWN_FILES)) {
  test(`takes over parts and scores from the ${name} of another installation`, async (dataset) => {
    await dataset.runText(name, content);
    assert.deepEqual(
      (await dataset.values('id', 'text', 'criticism_at', 'rating', 'score')).sort(),
      PUBLISHED.map((each) => [each.id, each.text, each.criticism_at, each.rating, each.score]),
    );
  });
}

test('drops a boundary that its text no longer fits', async (dataset) => {
  const edited = { ...PUBLISHED[0], text: 'Kind\n\nWalls' };
  await dataset.runText('reviews.json', JSON.stringify({ reviews: [edited] }));
  assert.deepEqual(await dataset.values('text', 'criticism_at'), [[edited.text, undefined]]);
});
