import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { publishedRecord } from '../../src/dataset/publish.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { EXPORTS, test } from '../support/import.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { packZip } from '../../src/owner/import/pack-zip.ts';

/** The members of a review that another installation takes over. */
const OWN_MEMBERS = [
  'id',
  'author',
  'rating',
  'date',
  'title',
  'text',
  'source',
  'source_url',
  'owner_reply',
  'updated_at',
] as const;

/** Files in forms that unit/import-exports.test.ts has not, and members of their reviews, oldest first. */
const FORMATS: Record<string, Partial<ReviewRecord>[]> = {
  'trustpilot-business.csv': [
    {
      title: 'Paid within a week',
      source_url: 'https://www.trustpilot.com/reviews/65aa01',
      updated_at: '2024-01-20T10:00:00Z',
    },
    { title: 'Nobody answers the phone' },
    { title: undefined },
  ],
  'trustpilot-crawler.csv': [
    { verified: true, title: undefined, text: 'The app is clear and the vet was paid directly.' },
    { verified: false, title: undefined },
  ],
  'trustpilot-api.json': [{ verified: true }, { verified: false }],
  'crawler.json': [
    {
      text: 'Toppen, kom samma dag och lagade avloppet utan krångel.',
      language: 'sv',
      owner_reply: { text: 'Tack Bo!', date: '2024-05-07' },
      source_url: 'https://maps.example/reviews/ChZDSUhN01',
    },
    { rating: 3, text: undefined },
  ],
  'yelp.json': [{ source: 'yelp', rating: 5, date: '2023-08-29', author: 'Ella A.' }],
  'yelp-page.json': [
    { author: 'Teo M.', text: 'La sopa estaba fría y nadie vino.', language: 'es' },
    {
      date: '2024-04-03',
      text: "Didn't wait long.\n\nFish & soup were fresh.",
      owner_reply: { text: 'Thank you, Odile!', date: '2024-04-05' },
    },
  ],
  'facebook.json': [{ rating: 2 }, { rating: 5, author: 'Dafydd Rees' }],
  'facebook-crawler.jsonl': [{ source: 'facebook', rating: 1, author: 'Petra Holm' }],
};
for (const [file, expected] of Object.entries(FORMATS)) {
  test(`reads ${file}`, async (dataset) => {
    await dataset.run([file]);
    const records = await dataset.records();
    const found = records.map((record, at) => {
      const names = Object.keys(expected[at] ?? {}) as (keyof ReviewRecord)[];
      return Object.fromEntries(names.map((name) => [name, record[name]]));
    });
    assert.deepEqual(found, expected);
  });
}

test('says what exports of Yelp and Facebook lack', async (dataset) => {
  const { files } = await dataset.run(['yelp.json', 'facebook.json', 'facebook-crawler.jsonl']);
  const notes = files.map((file) => file.notes.length);
  assert.deepEqual(notes, [1, 1, 1]);
});

test('reads the reviews of a Takeout archive, one of two accounts once', async (dataset) => {
  const reviews = await readFile(join(EXPORTS, 'takeout-reviews.json'));
  const other = Buffer.from(reviews.toString().replaceAll('accounts/1000', 'accounts/2000'));
  const result = await dataset.runText(
    'takeout.zip',
    packZip({
      'Takeout/Google Unternehmensprofil/account-1000/location-77/reviews.json': reviews,
      'Takeout/Google Unternehmensprofil/account-2000/location-77/reviews-2.json': other,
      'Takeout/Google Unternehmensprofil/account-1000/location-77/data.json': Buffer.from('{}'),
      'Takeout/archive_browser.html': Buffer.from('<html>'),
    }),
  );
  assert.equal(result.counts.added, 4);
  assert.deepEqual(result.skipped, { 'is in the export twice': 4 });
  assert.equal((await dataset.records()).length, 4);
});

test('knows that a page is only a part', async (dataset) => {
  await dataset.run(['takeout-reviews.json']);
  const result = await dataset.run(['google-api-page.json']);
  assert.deepEqual(
    [result.counts.changed, result.counts.vanished, result.counts.unchanged],
    [1, 0, 3],
  );
  for (const [page, total] of [
    ['google-api-page.json', 4],
    ['yelp-page.json', 37],
  ] as const) {
    const { files } = await dataset.run([page]);
    assert.equal(files[0]!.platform_total, total);
    await assert.rejects(dataset.run([page], { withdraw: true }), /full export/);
  }
});

for (const name of ['reviews.json', 'reviews.ndjson', 'reviews.csv']) {
  test(`takes over the ${name} of another installation, ids and all`, async (dataset) => {
    const edition = await sampleEdition();
    const { files } = await dataset.run([join(edition, name)], { now: '2030-01-01T00:00:00Z' });
    assert.match(files[0]!.format, /of another installation$/);
    const { reviews } = await readDataset(edition);
    const records = new Map((await dataset.records()).map((record) => [record.id, record]));
    assert.equal(records.size, reviews.length);
    for (const review of reviews) {
      const imported = publishedRecord(records.get(review.id)!);
      for (const member of OWN_MEMBERS) {
        assert.deepEqual(imported[member], review[member], `${review.id}: ${member}`);
      }
      if (review.text !== null) assert.equal(imported.language, review.language);
    }
  });
}

test('offers a guess for an unknown table, with the flags to say', async (dataset) => {
  await assert.rejects(
    dataset.run(['hotel.csv'], { source: 'hotels' }),
    /its columns are: Booking, Stayed on, Guest, negative, positive, Score\nSay which is the date: --map '.*rating=Score,date=Stayed on,text=positive\+negative'/,
  );
  const map = parseMap('rating=Score,date=Stayed on,text=positive+negative,id=Booking');
  const options = { map, scale: 10, source: 'Hotels.example' };
  await assert.rejects(dataset.run(['hotel.csv'], options), /--verification/);
  const verification = 'Only guests who stayed can write a review.';
  const result = await dataset.run(['hotel.csv'], { ...options, verification });
  assert.equal(result.files[0]!.verification, verification);
  assert.deepEqual(
    (await dataset.records()).map(({ rating, date, text, criticism_at }) => [
      rating,
      date,
      text,
      criticism_at,
    ]),
    [
      [5, '2023-09-03', 'Excellent staff\n\nElevator could be better', 17],
      [4, '2023-09-14', 'Quiet room,\nview of the river', 29],
      [1, '2023-09-15', 'Everything', 0],
    ],
  );
  assert.equal((await dataset.records())[0]!.source, 'hotels-example');
});

const WORDS = 'rating;date;text\n5;2024-01-02;Grüße aus Köln, sehr zufrieden mit allem\n';
const MAP = parseMap('rating=rating,date=date,text=text');
const ENCODINGS: [name: string, bytes: Uint8Array][] = [
  ['UTF-8', Buffer.from(WORDS)],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${WORDS}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(WORDS, 'utf16le')],
  ['UTF-16, big end first', Buffer.from(`\ufeff${WORDS}`, 'utf16le').swap16()],
];
for (const [name, bytes] of ENCODINGS) {
  test(`reads a table in ${name}, with semicolons`, async (dataset) => {
    await dataset.runText('a.csv', bytes, { map: MAP, source: 'google' });
    const [record] = await dataset.records();
    assert.equal(record!.text, 'Grüße aus Köln, sehr zufrieden mit allem');
    assert.equal(record!.language, 'de');
  });
}
