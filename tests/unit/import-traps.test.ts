import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { importReviews } from '../../src/owner/commands/import.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';
import { runHere } from '../support/run-here.ts';
import { zip } from '../support/zip.ts';

const DAY = '2024-05-13T12:00:00Z';

function google(extra: object, id = 'r1'): object {
  return {
    reviewId: id,
    reviewer: { displayName: 'Ada' },
    starRating: 'TWO',
    comment: `Late (${id}).`,
    createTime: DAY,
    updateTime: DAY,
    ...extra,
  };
}

const REPLY = { comment: 'Call us at once!', updateTime: DAY };
const REPLIES: [what: string, reply: object, extra: object, isShown: boolean][] = [
  ['without a state', REPLY, {}, true],
  ['that Google approved', { ...REPLY, reviewReplyState: 'APPROVED' }, {}, true],
  ['that Google rejected', { ...REPLY, reviewReplyState: 'REJECTED' }, {}, false],
  ['that Google checks', { ...REPLY, reviewReplyState: 'PENDING' }, {}, false],
  ['with a violation', { ...REPLY, policyViolation: { type: 'SPAM' } }, {}, false],
  ['whose review names a violation', REPLY, { policyViolation: 'OFF_TOPIC' }, false],
];
for (const [what, reviewReply, extra, isShown] of REPLIES) {
  test(`${isShown ? 'takes' : 'leaves out'} a reply ${what}`, async (context) => {
    const dataset = await emptyDataset(context);
    const content = JSON.stringify({ reviews: [google({ reviewReply, ...extra })] });
    const { cleaned } = await dataset.runText('reviews.json', content);
    const [record] = await dataset.records();
    assert.equal(record!.owner_reply?.text, isShown ? REPLY.comment : undefined);
    assert.equal(cleaned.hiddenReplies, isShown ? 0 : 1);
  });
}

test('counts pictures, which it does not import', async (context) => {
  const dataset = await emptyDataset(context);
  const reviewMediaItems = [
    { thumbnailUrl: 'https://a.example/1' },
    { videoUrl: 'https://a.example/2' },
  ];
  const { cleaned } = await dataset.runText(
    'reviews.json',
    JSON.stringify([google({ reviewMediaItems })]),
  );
  assert.equal(cleaned.media, 2);
});

const SHOP = { source: 'shop', verification: 'Sent after an order.', accept: async () => true };
const HELD_BACK: [platform: string, csv: string][] = [
  [
    'Judge.me',
    'title,body,rating,review_date,source,curated,reviewer_name\n,Fine,5,2024-01-01,web,ok,Ada\n,Buy pills,5,2024-01-02,web,spam,Bo\n',
  ],
  [
    'Yotpo',
    'Review Content,Review Score,Date,Display Name,Review Status\nFine,5,2024-01-01,Ada,Published\nBad,1,2024-01-02,Bo,Rejected\n',
  ],
  [
    'a shop in no known format',
    'Review,Rating,Date,Nickname,State\nFine,5,2024-01-01,Ada,Published\nBad,1,2024-01-02,Bo,Rejected\n',
  ],
  [
    'an Italian portal',
    'Recensione,Voto,Data,Nome,Stato\nBene,5,2024-01-13,Ada,Approvata\nMale,1,2024-01-14,Bo,In attesa\n',
  ],
  [
    'a Spanish portal',
    'Reseña,Puntuación,Fecha,Nombre,Estado\nBien,5,2024-01-13,Ada,Aprobada\nMal,1,2024-01-14,Bo,Rechazada\n',
  ],
  [
    'a French portal',
    'Avis,Note,Date,Nom,Statut\nBien,5,2024-01-13,Ada,Publié\nMal,1,2024-01-14,Bo,En attente\n',
  ],
];
for (const [platform, csv] of HELD_BACK) {
  test(`counts what ${platform} holds back, and publishes it once it is shown`, async (context) => {
    const dataset = await emptyDataset(context);
    const { cleaned } = await dataset.runText('a.csv', csv, SHOP);
    assert.equal(cleaned.heldBack, 1);
    const states = async () =>
      (await dataset.records()).map(({ verified, held_back: held }) => [verified, held]);
    assert.deepEqual(await states(), [
      [true, undefined],
      [false, true],
    ]);
    const shown = csv
      .replace('spam', 'ok')
      .replace('Rejected', 'Published')
      .replace('In attesa', 'Pubblicata')
      .replace('Rechazada', 'Publicada')
      .replace('En attente', 'Validé');
    await dataset.runText('a.csv', shown, SHOP);
    assert.deepEqual(await states(), [
      [true, undefined],
      [true, undefined],
    ]);
  });
}

test('publishes nothing that an unknown export calls unverified', async (context) => {
  const dataset = await emptyDataset(context);
  const header = 'Review,Rating,Date,Nickname,Verified buyer,Status of the order,Reply status';
  const rows = ['Fine,5,2024-01-01,Ada,TRUE,sent,', 'Bad,1,2024-01-02,Bo,FALSE,back,pending'];
  const { cleaned } = await dataset.runText('a.csv', [header, ...rows].join('\n'), SHOP);
  assert.deepEqual([cleaned.unverified, cleaned.heldBack], [1, 0]);
  const records = await dataset.records();
  assert.deepEqual(
    records.map(({ author, verified, held_back: held }) => [author, verified, held]),
    [
      ['Ada', true, undefined],
      ['Bo', false, undefined],
    ],
  );
});

test('a state that no list has is held back beside one that says no, whatever the map says', async (context) => {
  const dataset = await emptyDataset(context);
  const rows = ['Published', 'Rejected', 'Quarantine'].map((state, at) => {
    return `Text ${at},5,2024-01-0${at + 1},Ada,${state}`;
  });
  const csv = ['Review,Rating,Date,Nickname,Status', ...rows].join('\n');
  const map = { rating: ['Rating'], date: ['Date'], text: ['Review'] };
  const { cleaned } = await dataset.runText('a.csv', csv, { ...SHOP, map });
  assert.equal(cleaned.heldBack, 2);
});

test('a column of states that says yes nowhere leaves out nothing', async (context) => {
  const dataset = await emptyDataset(context);
  const csv =
    'Review,Rating,Date,Nickname,Verified,Status\nFine,5,2024-01-01,Ada,FALSE,replied\nBad,1,2024-01-02,Bo,FALSE,open\n';
  const { cleaned, files } = await dataset.runText('a.csv', csv, SHOP);
  assert.deepEqual([cleaned.unverified, cleaned.heldBack], [0, 0]);
  assert.match(files[0]!.notes.join(), /columns that are not read: Verified, Status/);
});

test('keeps how a review came about', async (context) => {
  const dataset = await emptyDataset(context);
  const row = (id: string, source: string) =>
    `${id},2024-01-0${id} 10:00:00,Ada,Fine ${id},5,${source}`;
  const csv = [
    'Review Id,Review Created (UTC),Review Consumer User Name,Review Content,Review Stars,Source Of Review',
    row('1', 'Organic'),
    row('2', 'Manual invitation'),
    row('3', ''),
  ].join('\n');
  await dataset.runText('a.csv', csv);
  assert.deepEqual(
    (await dataset.records()).map(({ origin }) => origin),
    ['organic', 'invited', undefined],
  );
  const okendo = {
    reviewId: 'o',
    body: 'Nice',
    rating: 5,
    dateCreated: DAY,
    reviewer: { displayName: 'Bo' },
  };
  await dataset.runText('a.json', JSON.stringify([{ ...okendo, isIncentivized: true }]));
  assert.equal((await dataset.records()).at(-1)!.origin, 'incentivized');
});

test('labels praise and blame, and takes no filler for words', async (context) => {
  const dataset = await emptyDataset(context);
  const csv = [
    'Reviewer_Name,Review_Date,Positive_Review,Negative_Review,Reviewer_Score',
    'Ada,8/13/2017,Quiet room,Small bed,7.5',
    'Bo,8/14/2017,No Positive,Everything,2.5',
    'Cy,8/15/2017,Staff,No Negative,10',
    'Dee,8/16/2017,No Positive,No Negative,5',
  ].join('\n');
  await dataset.runText('a.csv', csv);
  assert.deepEqual(
    (await dataset.records()).map(({ text, rating }) => [text, rating]),
    [
      ['Liked: Quiet room\n\nDisliked: Small bed', 4],
      ['Disliked: Everything', 1],
      ['Liked: Staff', 5],
      [undefined, 3],
    ],
  );
});

test('leaves out a text that the old Places API translated', async (context) => {
  const dataset = await emptyDataset(context);
  const reviews = [true, false].map((translated) => ({
    author_name: `Ada ${translated}`,
    rating: 2,
    time: 1_715_601_600,
    relative_time_description: 'a year ago',
    text: 'The soup was cold.',
    translated,
  }));
  const { cleaned } = await dataset.runText('a.json', JSON.stringify({ result: { reviews } }));
  assert.deepEqual((await dataset.records()).map(({ author, text }) => [author, text]).sort(), [
    ['Ada false', 'The soup was cold.'],
    ['Ada true', undefined],
  ]);
  assert.equal(cleaned.translations, 1);
});

const MIXED = [
  'Portal,Sterne,Datum,Text',
  ...Array.from({ length: 8 }, (_, row) => {
    const portal = row % 3 === 0 ? 'Jameda' : 'Google';
    return `${portal},${1 + (row % 5)},0${row + 1}.05.2024,Text ${row}`;
  }),
].join('\n');

test('states for each platform of a file what verified means there', async (context) => {
  const dataset = await emptyDataset(context);
  const accept = () => Promise.resolve(true);
  await assert.rejects(dataset.runText('a.csv', MIXED, { accept }), /a review on jameda is real/);
  const verification = 'Only patients can write a review.';
  const { files } = await dataset.runText('a.csv', MIXED, { accept, verification });
  const stated = files[0]!.verification as Record<string, string>;
  assert.match(stated.google!, /signed-in Google account/);
  assert.equal(stated.jameda, verification);
  // The next import knows the sentence.
  await dataset.runText('b.csv', MIXED.replaceAll('Text ', 'Word '), { accept });
});

const links = (prefix: string, count = 3) =>
  [
    'stars,date,comment,link',
    ...Array.from(
      { length: count },
      (_, row) => `${row + 2},2024-01-0${row + 1},Text ${row},${prefix}${row}`,
    ),
  ].join('\n');

test('reads the platform from links, and asks where they do not tell', async (context) => {
  const accept = () => Promise.resolve(true);
  for (const [csv, source] of [
    [links('https://www.google.com/maps/reviews/'), 'google'],
    [links('https://de.trustpilot.com/reviews/'), 'trustpilot'],
    [links('https://www.tripadvisor.com/ShowUserReviews-'), 'tripadvisor'],
  ]) {
    const dataset = await emptyDataset(context);
    await dataset.runText('a.csv', csv!, { accept });
    assert.equal((await dataset.records())[0]!.source, source);
  }
  for (const csv of [
    links('https://cafe.example/reviews/'),
    links('https://docs.google.com/document/'),
    `${links('https://www.google.com/maps/reviews/')}\n5,2024-02-01,Fine,https://www.jameda.de/1`,
    `${links('https://www.google.com/maps/reviews/')}\n5,2024-02-01,Fine,`,
  ]) {
    const dataset = await emptyDataset(context);
    await assert.rejects(
      dataset.runText('a.csv', csv, { accept }),
      /does not say which platform .* --source PLATFORM/,
    );
  }
});

const NOTHING: [what: string, file: string, content: string | Uint8Array, reason: RegExp][] = [
  [
    'Airbnb, which has no stars',
    'a.csv',
    'listing_id,id,date,reviewer_name,comments\n1,2,2024-01-01,Ada,Fine\n1,3,2024-01-02,Bo,Late\n',
    /none of its 2 rows can be imported: has no rating, and a review without stars cannot be published \(2\)$/,
  ],
  [
    'stars that nobody gave',
    'a.csv',
    'name,date,comment\nAda,2024-01-01,Fine\n',
    /A review without stars cannot be published/,
  ],
  [
    'relative dates',
    'a.json',
    JSON.stringify([
      { Name: 'Ada', Rating: 5, Description: 'Fine', When: '2 months ago', Images: null },
    ]),
    /its date … counts from the day of the export/,
  ],
  ['a list of nothing', 'a.json', '[{"reviews":[null]}]', /a\.json: is in no known format/],
  ['a number', 'a.json', '5', /a\.json: has no reviews/],
  ['lines of numbers', 'a.jsonl', '{}\n5\n', /a\.jsonl: has no reviews/],
  [
    'deep JSON',
    'a.json',
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    /is nested deeper than 50 levels/,
  ],
  [
    'deep objects',
    'a.json',
    `[${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}]`,
    /is nested deeper than 50 levels/,
  ],
  ['many columns', 'a.csv', `${'a,'.repeat(10_000)}\n1\n`, /has more than 2,000 columns/],
  ['5 million columns', 'a.csv', `${'a,'.repeat(5_000_000)}\n1\n`, /is larger than 1 MiB/],
  [
    'many members',
    'a.json',
    `{${Array.from({ length: 3000 }, (_, key) => `"${key}":1`).join()}}`,
    /has more than 2,000 columns/,
  ],
  [
    'an open quotation mark',
    'reviews.csv',
    `rating,date\n5,"${'x'.repeat(4_000_000)}`,
    /row 2 is larger than 1 MiB: a quotation mark may not be closed/,
  ],
  [
    'an open quotation mark in an archive',
    'a.zip',
    deflated('reviews.csv', `rating,date\n5,"${'x'.repeat(4_000_000)}`),
    /row 2 is larger than 1 MiB/,
  ],
  [
    'an archive that unpacks to too much',
    'a.zip',
    deflated('reviews.csv', 'x'.repeat(210_000_000)),
    /reviews\.csv: is larger than 192 MiB/,
  ],
  [
    'an archive that lies of its size',
    'a.zip',
    deflated('reviews.csv', 'x'.repeat(50_000_000), 100),
    /too many bytes/,
  ],
  [
    'an old Excel file',
    'a.xls',
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    /is an old Excel file: save it as \.xlsx or CSV/,
  ],
  ['an empty file', 'a.csv', '', /a\.csv: is empty/],
  ['a header alone', 'a.csv', 'rating,date\n', /a\.csv: has no reviews/],
  [
    'an open quote',
    'a.csv',
    'rating,date,text\n5,2024-01-01,"Open\n',
    /a\.csv: after row 1: the quotation mark of line 2 is never closed: .*export it again$/,
  ],
  ['JSON that ends early', 'a.json', '{"reviews": [{"rating": 5}, {', /a\.json: broken JSON: /],
  ['JSON with a fault', 'a.json', '[{"rating": 5}, {"rating": }]', /a\.json: broken JSON: /],
  ['a broken line', 'a.jsonl', '{"rating":5,"date":"2024-01-01"}\n{"r', /a\.jsonl:2: broken JSON/],
  [
    'UTF-8 that was cut inside a letter',
    'a.csv',
    Buffer.from('rating;text\n5;Grüße aus Kö').subarray(0, -1),
    /a\.csv: is UTF-8 with broken letters/,
  ],
  [
    'a web page with the name of a sheet',
    'a.xls',
    '<html><table><tr><td>"5</td></tr></table></html>',
    /a\.xls: is a web page, not a table/,
  ],
  [
    'an archive without reviews',
    'a.zip',
    zip({ 'Takeout/mail.mbox': Buffer.from('From') }),
    /has no reviews\*\.json/,
  ],
  [
    'a broken sheet',
    'a.xlsx',
    zip({ 'xl/workbook.xml': Buffer.from('<workbook/>') }),
    /a\.xlsx: cannot be read: /,
  ],
];
for (const [what, file, content, reason] of NOTHING) {
  test(`refuses ${what} in one line, and records nothing`, async (context) => {
    const dataset = await emptyDataset(context);
    const before = await dataset.files();
    const started = process.cpuUsage();
    await assert.rejects(dataset.runText(file, content, { source: 'google' }), (error: Error) => {
      assert.match(error.message, reason);
      return true;
    });
    assert.ok(process.cpuUsage(started).user < 10e6, 'takes long');
    assert.deepEqual(await dataset.files(), before);
  });
}

test('refuses what is no file', async (context) => {
  const dataset = await emptyDataset(context);
  const pipe = join(dataset.folder, '..', 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', dataset.folder]) {
    await assert.rejects(dataset.run([path]), /: is not a file$/);
  }
  await assert.rejects(dataset.run(['/nowhere/a.csv']), /: there is no such file$/);
});

async function runImport(dataset: Dataset, name: string, ...args: string[]): Promise<string> {
  const path = join(dataset.folder, '..', name);
  const { output, error } = await runHere(importReviews, dataset.folder, [path, ...args]);
  if (error) throw error;
  return output;
}

test('writes what it skips beside the file, to be corrected and imported again', async (context) => {
  const dataset = await emptyDataset(context);
  const beside = join(dataset.folder, '..');
  const rows = ['ONE', 'TWO', '', 'FIVE'].map((starRating, row) =>
    google(
      {
        starRating,
        comment: row === 3 ? '=1+1 is "two"' : `Text, ${row}`,
        ...(row === 3 && { createTime: 'soon' }),
      },
      `r${row}`,
    ),
  );
  await writeFile(join(beside, 'export.json'), JSON.stringify({ reviews: rows }));
  const output = await runImport(dataset, 'export.json');
  assert.match(output, /2 added, .* 2 skipped/);
  assert.match(output, /Rows to correct and import again: .*rejected\.csv$/m);
  const rejected = await readFile(join(beside, 'rejected.csv'), 'utf8');
  assert.match(rejected, /^\ufeffreason,reviewId,reviewer\.displayName,starRating,/);
  const corrected = rejected.replace(',Ada,,', ',Ada,THREE,').replace(',soon,', `,${DAY},`);
  // The first is not replaced by what is skipped again.
  await writeFile(join(beside, 'rejected.csv'), corrected.replace('THREE', 'SIX'));
  assert.match(await runImport(dataset, 'rejected.csv'), /1 added, .* 1 skipped/);
  assert.match(await readFile(join(beside, 'rejected-2.csv'), 'utf8'), /its rating ""SIX""/);
  await writeFile(join(beside, 'rejected.csv'), corrected);
  const last = await runImport(dataset, 'rejected.csv');
  assert.match(last, /1 added, .* 0 skipped/);
  assert.deepEqual(
    (await dataset.records()).map(({ source_id: id, rating, text }) => [id, rating, text]).sort(),
    [
      ['r0', 1, 'Text, 0'],
      ['r1', 2, 'Text, 1'],
      ['r2', 3, 'Text, 2'],
      ['r3', 5, '=1+1 is "two"'],
    ],
  );
  await assert.rejects(runImport(dataset, 'rejected.csv', '--withdraw'), /full export/);
  assert.deepEqual((await readdir(beside)).filter((name) => name.includes('rejected')).sort(), [
    'rejected-2.csv',
    'rejected.csv',
  ]);
});

/** An archive of one file that is compressed, and states this size. */
function deflated(name: string, text: string, size?: number): Buffer {
  const data = Buffer.from(text);
  const packed = deflateRawSync(data);
  const stored = zip({ [name]: packed });
  // The local header is at 0, the central one after the data.
  const central = 30 + name.length + packed.length;
  for (const header of [0, central + 2]) {
    stored.writeUInt16LE(8, header + 8);
    stored.writeUInt32LE(size ?? data.length, header + 22);
  }
  return stored;
}

const csvOf = (...lines: string[]) => `${lines.join('\n')}\n`;
const ACCEPTED = { accept: async () => true, verification: 'A customer wrote it.' };

test('each platform of a table has its own scale', async (context) => {
  const dataset = await emptyDataset(context);
  const given = csvOf(
    'platform,date,score,guest,review',
    'Booking.com,2025-03-04,9.2,Ann Lee,Lovely room and a quiet street.',
    'Google Maps,2025-03-09,5,Bob Ray,Wonderful stay and kind staff.',
    'TripAdvisor,2025-03-10,3,Cy Poe,A hotel like any other in town.',
    'House,2025-03-11,8,Di Roe,The breakfast alone is worth it.',
  );
  const { files } = await dataset.runText('sheet.csv', given, ACCEPTED);
  const stars = (await dataset.records()).map(({ source, rating }) => [source, rating]);
  assert.deepEqual(stars, [
    ['booking', 5],
    ['google', 5],
    ['tripadvisor', 3],
    ['house', 4],
  ]);
  assert.match(files[0]!.notes.join('\n'), /ratings on booking are out of 10/);
});

test('a column of platforms is not overruled by one platform for all', async (context) => {
  const dataset = await emptyDataset(context);
  const given = csvOf(
    'source,date,rating,name,review',
    'Google,2025-03-04,5,Ann Lee,Lovely people and a quick repair.',
    ',2025-03-09,4,Bob Ray,Came the same day and was friendly.',
  );
  const { files } = await dataset.runText('sheet.csv', given, { ...ACCEPTED, source: 'yelp' });
  const sources = (await dataset.records()).map(({ source }) => source);
  assert.deepEqual(sources, ['google', 'yelp']);
  assert.match(files[0]!.notes.join('\n'), /--source is for rows without one/);
});

test('a row that an export without ids has in another version is an edit', async (context) => {
  const dataset = await emptyDataset(context);
  const sheet = (...rows: string[]) => csvOf('Date,Name,Stars,Review', ...rows);
  const take = async (given: string, options = {}) => {
    const { counts } = await dataset.runText('a.csv', given, {
      ...ACCEPTED,
      source: 'google',
      ...options,
    });
    return [counts.added, counts.changed];
  };
  const bob = '2025-03-09,Bob Ray,2,I waited for an hour.';
  const ann = '2025-03-04,Ann Lee,5,The dentist was quick and kind to my son.';
  assert.deepEqual(await take(sheet(ann, bob)), [2, 0]);
  const [first] = await dataset.records();
  const edited = '2025-03-04,Ann Lee,4,The dentist was quick. Edited: but it hurts again.';
  assert.deepEqual(await take(sheet(edited, bob)), [0, 1]);
  assert.deepEqual(await take(sheet(edited, bob)), [0, 0]);
  const [record] = await dataset.records();
  assert.deepEqual([record!.id, record!.rating], [first!.id, 4]);
  // Another author, another day, or two of one author are no edits.
  assert.deepEqual(await take(sheet('2025-03-09,Bo Ryan,2,Nobody came.', edited)), [1, 0]);
  assert.deepEqual(await take(sheet('2025-04-09,Bob Ray,2,Nobody came again.', edited)), [1, 0]);
  const two = ['2025-03-04,Ann Lee,4,First of two.', '2025-03-04,Ann Lee,4,Second of two.'];
  assert.deepEqual(await take(sheet(...two)), [2, 0]);
});

test('a row that ends early is skipped, unless most do', async (context) => {
  const dataset = await emptyDataset(context);
  const rows = [
    '5;Uwe A;Alles sauber gestrichen',
    '4;Ute B;Sehr gut',
    '3;Ute C;Ging so',
    '5;Ed;Gut',
  ];
  const given = csvOf(
    'Datum;Bewertung;Name;Text',
    ...rows.map((row) => `04.03.2025;${row}`),
    '05.03.2025;1',
  );
  const options = { ...ACCEPTED, source: 'google', onRow: () => {} };
  const { counts, skipped } = await dataset.runText('short.csv', given, options);
  assert.equal(counts.added, 4);
  assert.deepEqual(skipped, { 'has 2 of 4 columns': 1 });
});
