import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { publishedRecord } from '../../src/dataset/publish.ts';
import { csvLines } from '../../src/resources/reviews-csv.ts';
import { emptyDataset, EXPORTS, test } from '../support/import.ts';
import { NO_LABELS, review, ulidOf } from '../support/reviews.ts';
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

test('imports a Google Takeout file, with the words of the customer only', async (dataset) => {
  const result = await dataset.run(['takeout-reviews.json']);
  const records = await dataset.records();
  assert.deepEqual(
    records.map(({ author, text, language }) => [author, text, language]),
    [
      ['Anonymous', undefined, undefined],
      [
        'Ingrid Solbakken',
        'They fixed the boiler before breakfast and left the cellar cleaner than it was.',
        undefined,
      ],
      ['Joaquín Prada', 'Llegaron dos horas tarde y no llamaron.', 'es'],
      ['Amal Haddad', 'خدمة ممتازة وسريعة، أنصح بهم', 'ar'],
    ],
  );
  assert.deepEqual(records[1]!.owner_reply, { text: 'Thank you, Ingrid!', date: '2024-02-12' });
  assert.match(result.files[0]!.format, /^JSON, Google Business Profile/);
  assert.equal(result.cleaned.translations, 2);
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

test('knows that a page of the Google API is only a part', async (dataset) => {
  await dataset.run(['takeout-reviews.json']);
  const result = await dataset.run(['google-api-page.json']);
  assert.deepEqual(
    [result.counts.changed, result.counts.vanished, result.counts.unchanged],
    [1, 0, 3],
  );
  assert.equal(result.files[0]!.platform_total, 4);
  await assert.rejects(dataset.run(['google-api-page.json'], { withdraw: true }), /full export/);
});

test('keeps the title, address and time of an edit of the CSV file of Trustpilot', async (dataset) => {
  await dataset.run(['trustpilot-business.csv']);
  const [first] = await dataset.records();
  assert.equal(first!.title, 'Paid within a week');
  assert.equal(first!.source_url, 'https://www.trustpilot.com/reviews/65aa01');
  assert.equal(first!.updated_at, '2024-01-20T10:00:00Z');
});

test('does not verify what Trustpilot itself holds back', async (_, context) => {
  for (const file of ['trustpilot-api.json', 'trustpilot-crawler.csv']) {
    const dataset = await emptyDataset(context);
    await dataset.run([file]);
    const verified = (await dataset.records()).map((record) => record.verified);
    assert.deepEqual(verified, [true, false], file);
  }
});

test('drops a title that only repeats the beginning of the text', async (dataset) => {
  await dataset.run(['trustpilot-crawler.csv']);
  const [first, second] = await dataset.records();
  assert.deepEqual([first!.title, second!.title], [undefined, undefined]);
  assert.equal(first!.text, 'The app is clear and the vet was paid directly.');
});

test('reads the places and reviews of a crawler, and quotes no translation', async (dataset) => {
  await dataset.run(['crawler.json']);
  const [first, second] = await dataset.records();
  assert.equal(first!.text, 'Toppen, kom samma dag och lagade avloppet utan krångel.');
  assert.equal(first!.language, 'sv');
  assert.deepEqual(first!.owner_reply, { text: 'Tack Bo!', date: '2024-05-07' });
  assert.equal(first!.source_url, 'https://maps.example/reviews/ChZDSUhN01');
  assert.deepEqual([second!.rating, second!.text], [3, undefined]);
});

test('imports Yelp and Facebook, and says what their exports lack', async (dataset) => {
  const { files } = await dataset.run(['yelp.json', 'facebook.json', 'facebook-crawler.jsonl']);
  const records = await dataset.records();
  assert.deepEqual(
    records.map(({ source, rating, date, author }) => [source, rating, date, author]),
    [
      ['facebook', 2, '2017-03-02', 'Sunniva Moe'],
      ['facebook', 5, '2022-09-14', 'Dafydd Rees'],
      ['yelp', 5, '2023-08-29', 'Ella A.'],
      ['facebook', 1, '2024-02-20', 'Petra Holm'],
    ],
  );
  assert.deepEqual(
    files.map(({ notes }) => notes.length),
    [1, 1, 1],
  );
});

test('imports what the pages of Yelp load: escaped text, American dates, the answer', async (dataset) => {
  const { files } = await dataset.run(['yelp-page.json']);
  const [teo, odile] = await dataset.records();
  assert.deepEqual(
    [teo!.author, teo!.rating, teo!.date, teo!.text, teo!.language],
    ['Teo M.', 2, '2024-03-28', 'La sopa estaba fría y nadie vino.', 'es'],
  );
  assert.deepEqual(
    [odile!.date, odile!.text, odile!.owner_reply],
    [
      '2024-04-03',
      "Didn't wait long.\n\nFish & soup were fresh.",
      { text: 'Thank you, Odile!', date: '2024-04-05' },
    ],
  );
  assert.equal(files[0]!.platform_total, 37);
  await assert.rejects(dataset.run(['yelp-page.json'], { withdraw: true }), /full export/);
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

test('takes the texts of reviews.csv without the apostrophes of its guard', async (dataset) => {
  const texts = ['=1+1 jobs, all done', "'90s boiler, like new", '-10 points for the wait'];
  const reviews = texts.map((text, index) => review({ id: ulidOf(index + 1), text }));
  const labels = { per_review: Object.fromEntries(reviews.map(({ id }) => [id, NO_LABELS])) };
  await dataset.runText('reviews.csv', [...csvLines(reviews, labels)].join(''));
  assert.deepEqual((await dataset.records()).map(({ text }) => text).sort(), texts.sort());
});

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

test('publishes the words of the customer without what platforms and tools made of them', async (dataset) => {
  const rows = [
    'Author,Rating,Date,Review',
    'ann@mail.example,5,2024-05-06,<p>Soft &amp; kÃ¶stlich<br>Rooms: 5/5 | Service: 4/5</p>',
    'Ann Lee (Verified Buyer),4,2024-05-07,<p>Nice place... More</p>',
    'Bob Ray,3,2024-05-08,"<p>Fine.</p><p>Response from the owner:<br>Thank you</p>"',
    'Cy Poe,2,2024-05-09,<p>(Translated by Google) Well.</p>',
  ];
  const map = parseMap('author=Author,rating=Rating,date=Date,text=Review');
  const bytes = Buffer.from(rows.join('\n'));
  const { cleaned, files } = await dataset.runText('a.csv', bytes, { map, source: 'google' });
  const records = await dataset.records();
  assert.deepEqual(
    records.map(({ text, owner_reply: reply }) => [text, reply?.text]),
    [
      ['Soft & köstlich', undefined],
      ['Nice place...', undefined],
      ['Fine.', 'Thank you'],
      [undefined, undefined],
    ],
  );
  assert.equal(records[0]!.author, 'Anonymous');
  assert.match(files[0]!.notes.join(), /were repaired/);
  const { anonymous, cutTexts, subRatings, translationsAlone } = cleaned;
  assert.deepEqual([anonymous, cutTexts, subRatings, translationsAlone], [1, 1, 2, 1]);
});

const WORDS = 'rating;date;text\n5;2024-01-02;Grüße aus Köln, sehr zufrieden mit allem\n';
const MAP = parseMap('rating=rating,date=date,text=text');
const ENCODINGS: [name: string, bytes: Uint8Array, encoding?: string][] = [
  ['UTF-8', Buffer.from(WORDS)],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${WORDS}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(WORDS, 'utf16le')],
  ['UTF-16, big end first', Buffer.from(`\ufeff${WORDS}`, 'utf16le').swap16()],
  ['Windows-1252, when told', Buffer.from(WORDS, 'latin1'), 'windows-1252'],
];
for (const [name, bytes, encoding] of ENCODINGS) {
  test(`reads a table in ${name}, with semicolons`, async (dataset) => {
    await dataset.runText('a.csv', bytes, { map: MAP, source: 'google', encoding });
    const [record] = await dataset.records();
    assert.equal(record!.text, 'Grüße aus Köln, sehr zufrieden mit allem');
    assert.equal(record!.language, 'de');
  });
}

test('reads what is not UTF-8 as Windows-1252, and says so', async (dataset) => {
  const bytes = Buffer.from(WORDS, 'latin1');
  const { files } = await dataset.runText('a.csv', bytes, { map: MAP, source: 'google' });
  assert.match(files[0]!.notes.join(), /was read as windows-1252/);
  assert.equal((await dataset.records())[0]!.text, 'Grüße aus Köln, sehr zufrieden mit allem');
});
