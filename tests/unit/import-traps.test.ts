import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { importReviews } from '../../src/owner/commands/import.ts';
import { parseMap } from '../../src/owner/import/field-map.ts';
import type { ImportOptions, ImportResult } from '../../src/owner/import/import-files.ts';
import { readJsonRows } from '../../src/owner/import/json-rows.ts';
import { reviewRecord, type ReviewRecord } from '../../src/schema/review.ts';
import { type Dataset, test } from '../support/import.ts';
import { runHere } from '../support/run-here.ts';
import { packZip } from '../../src/owner/import/pack-zip.ts';

const DAY = '2024-05-13T12:00:00Z';
const ADA = { displayName: 'Ada' };

function google(extra: object, id = 'r1'): object {
  const times = { createTime: DAY, updateTime: DAY };
  const written = { starRating: 'TWO', comment: `Late (${id}).`, ...times };
  return { reviewId: id, reviewer: ADA, ...written, ...extra };
}

const OKENDO = { reviewId: 'o', body: 'Nice', rating: 5, dateCreated: DAY, reviewer: ADA };

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
  test(`${isShown ? 'takes' : 'leaves out'} a reply ${what}`, async (dataset) => {
    const content = JSON.stringify({ reviews: [google({ reviewReply, ...extra })] });
    const { cleaned } = await dataset.runText('reviews.json', content);
    const [record] = await dataset.records();
    assert.equal(record!.owner_reply?.text, isShown ? REPLY.comment : undefined);
    assert.equal(cleaned.hiddenReplies, isShown ? 0 : 1);
  });
}

const accept = async () => true;
const SHOP = { source: 'shop', verification: 'Sent after an order.', accept };

/** Lines of a table of reviews with further columns, and what these have in each review. */
const withColumns = (columns: string, ...values: string[]) => [
  `Review,Rating,Date,Nickname,${columns}`,
  ...values.map((value, at) => `Text ${at},${5 - at},2024-01-0${at + 1},Guest ${at},${value}`),
];

const THANKS = 'Thank you so much Ada';
const DRAFTS = [THANKS, 'Sorry to hear that Bo'];
const NO_REPLIES = [undefined, undefined];
/** Further columns of two reviews, and what each review then has in a field; a row of another kind is none. */
const BESIDE: [columns: string, values: string[], field: keyof ReviewRecord, found: unknown[]][] = [
  ['AI reply', DRAFTS, 'owner_reply', NO_REPLIES],
  ['Reply (draft)', DRAFTS, 'owner_reply', NO_REPLIES],
  ['ai_suggestion.reply', DRAFTS, 'owner_reply', NO_REPLIES],
  ['предложенный ответ', DRAFTS, 'owner_reply', NO_REPLIES],
  ['Response sentiment', ['Positive', 'Negative'], 'owner_reply', NO_REPLIES],
  ['Response of the house', [THANKS, ''], 'owner_reply', [{ text: THANKS, date: null }, undefined]],
  ['Summary,Sentiment', ['Likes the bread,good', 'Dislikes the rolls,bad'], 'title', NO_REPLIES],
  ['Verified', ['verified-purchase', 'unverified'], 'verified', [true, false]],
  ['Verification', ['Verified', 'Not verified'], 'verified', [true, false]],
  ['Verified current user', ['Yes', 'No'], 'verified', [true, false]],
  ['Rating type', ['Restaurant rating', 'Courier rating'], 'verified', [true]],
  ['badges.is_staff_reviewer', ['false', 'true'], 'verified', [true]],
  ['Survey type', ['nps', 'nps'], 'score', [5, 4].map((value) => ({ value, best: 10 }))],
];
for (const [columns, values, field, found] of BESIDE) {
  test(`reads reviews with ${columns}: ${values.join(' and ')}`, async (dataset) => {
    await dataset.runText('a.csv', withColumns(columns, ...values).join('\n'), SHOP);
    assert.deepEqual(await dataset.column(field), found);
  });
}

for (const [column, values] of [
  ['Reviewee type', ['property', 'guest']],
  ['Type', ['review', 'podcast']],
] as const) {
  test(`asks which rows are reviews of the business by ${column}`, async (dataset) => {
    const csv = withColumns(column, ...values).join('\n');
    await assert.rejects(dataset.runText('a.csv', csv, SHOP), /several places or kinds/);
  });
}

interface Trap {
  /** Lines of a CSV file, or rows of a JSON document. */
  rows: readonly (string | object)[];
  options?: Partial<ImportOptions>;
  /** Fields to compare, and their values in each review, in order of date. */
  fields: (keyof ReviewRecord)[];
  records: unknown[][];
  cleaned?: Partial<ImportResult['cleaned']>;
  skipped?: Record<string, number>;
  note?: RegExp;
}

const TRAPS: Record<string, Trap> = {
  'pictures are counted and not imported': {
    rows: [google({ reviewMediaItems: [{ thumbnailUrl: 'a' }, { videoUrl: 'b' }] })],
    fields: ['rating'],
    records: [[2]],
    cleaned: { media: 2 },
  },
  'nothing is published that an unknown export calls unverified': {
    rows: withColumns(
      'Verified buyer,Order status,Reply status',
      'TRUE,sent,',
      'FALSE,back,pending',
    ),
    options: SHOP,
    fields: ['verified'],
    records: [[true], [false]],
    cleaned: { unverified: 1, heldBack: 0 },
  },
  'a review is held back unless its author lets it be published': {
    rows: withColumns('May we publish this?', 'Yes', 'No', 'Ask again'),
    options: SHOP,
    fields: ['verified'],
    records: [[true], [false], [false]],
    cleaned: { heldBack: 2 },
  },
  'consent to something else holds back nothing': {
    rows: withColumns('Marketing consent', 'yes', 'no'),
    options: SHOP,
    fields: ['verified'],
    records: [[true], [true]],
  },
  'how a review came about is kept, as Trustpilot tells it': {
    rows: [
      'Review Id,Review Created (UTC),Review Consumer User Name,Review Content,Review Stars,Source Of Review',
      '1,2024-01-01 10:00:00,Ada,Fine,5,Organic',
      '2,2024-01-02 10:00:00,Ada,Fine again,5,Manual invitation',
      '3,2024-01-03 10:00:00,Ada,Still fine,5,',
    ],
    fields: ['origin'],
    records: [['organic'], ['invited'], [undefined]],
  },
  'how a review came about is kept, as Okendo tells it': {
    rows: [{ ...OKENDO, isIncentivized: true }],
    fields: ['origin'],
    records: [['incentivized']],
  },
  'a text that the old Places API translated is left out': {
    rows: [true, false].map((translated) => ({
      author_name: 'Ada',
      rating: 2,
      time: translated ? 1_715_601_600 : 1_715_701_600,
      relative_time_description: 'a year ago',
      text: 'The soup was cold.',
      translated,
    })),
    fields: ['text'],
    records: [[undefined], ['The soup was cold.']],
    cleaned: { translationsAlone: 1 },
  },
  'each platform of a table has its own scale': {
    rows: [
      'platform,date,score,guest,review',
      'Booking.com,2025-03-04,9.2,Ann Lee,Lovely room and a quiet street.',
      'Google Maps,2025-03-09,5,Bob Ray,Wonderful stay and kind staff.',
      'TripAdvisor,2025-03-10,3,Cy Poe,A hotel like any other in town.',
      'House,2025-03-11,8,Di Roe,The breakfast alone is worth it.',
      'House,2025-03-12,7,Ed Fox,Quiet at night and close to town.',
    ],
    options: { accept, verification: 'A guest wrote it.', scale: 10 },
    fields: ['source', 'rating'],
    records: [
      ['booking', 5],
      ['google', 5],
      ['tripadvisor', 3],
      ['house', 4],
      ['house', 4],
    ],
    note: /ratings on booking are out of 10/,
  },
  'a column of platforms is not overruled by one platform for all': {
    rows: [
      'source,date,rating,name,review',
      'Google,2025-03-04,5,Ann Lee,Lovely people and a quick repair.',
      ',2025-03-09,4,Bob Ray,Came the same day and was friendly.',
    ],
    options: { accept, source: 'yelp' },
    fields: ['source'],
    records: [['google'], ['yelp']],
    note: /--source is for rows without one/,
  },
  'a review whose link or language cannot be published is taken without them': {
    rows: [
      'stars,date,text,url,language',
      '5,2024-01-01,They came on the same day.,n/a,English',
      '4,2024-01-02,They came on the next day.,https://reviews.example/2,en_US',
      '3,2024-01-03,Sie kamen erst am nächsten Tag.,www.reviews.example/3,und',
    ],
    options: SHOP,
    fields: ['source_url', 'language'],
    records: [
      [undefined, undefined],
      ['https://reviews.example/2', 'en-US'],
      [undefined, 'de'],
    ],
  },
  'only what the build accepts is written': {
    rows: [
      'rating,date,text',
      '5,2024-01-01,Fine',
      ',2024-01-01,No rating',
      '7,2024-01-01,Too good',
      '5,yesterday,No date',
      '5,2024-02-30,No such day',
      '5,2099-01-01,From the future',
      '4.5,2024-01-02,Half a star more',
      '5,2024-01-03,Hid\u200bden \u202eor\u0007der',
      '3,2024-01-04,   ',
    ],
    options: { source: 'google', map: parseMap('rating=rating,date=date,text=text') },
    fields: ['rating', 'text'],
    records: [
      [5, 'Fine'],
      [5, 'Half a star more'],
      [5, 'Hidden order'],
      [3, undefined],
    ],
    cleaned: { strippedCharacters: 3, roundedRatings: 1, anonymous: 4 },
    skipped: {
      'has no rating, and a review without stars cannot be published': 1,
      'its rating … is above 5: say --scale 10 or --scale 100': 1,
      'its date … counts from the day of the export, which the file does not tell': 1,
      'its date … is no day of the calendar': 1,
      'is dated after today': 1,
    },
  },
};
for (const [what, { rows, options, fields, records, ...expected }] of Object.entries(TRAPS)) {
  test(what, async (dataset) => {
    const isTable = typeof rows[0] === 'string';
    const content = isTable ? rows.join('\n') : JSON.stringify({ reviews: rows });
    const result = await dataset.runText(isTable ? 'a.csv' : 'a.json', content, options);
    const written = (await dataset.records()).toSorted((a, b) => (a.date < b.date ? -1 : 1));
    const values = written.map((record) => fields.map((field) => record[field]));
    assert.deepEqual(values, records);
    for (const record of written) reviewRecord.parse(record);
    const { cleaned = {}, skipped = {}, note } = expected;
    assert.deepEqual({ ...result.cleaned, ...cleaned }, result.cleaned);
    assert.deepEqual(result.skipped, skipped);
    if (note) assert.match(result.files[0]!.notes.join('\n'), note);
  });
}

const HELD_BACK: [platform: string, header: string, shown: string, state: string][] = [
  ['Judge.me', 'body,rating,review_date,reviewer_name,source,curated', 'web,ok', 'web,spam'],
  ['Yotpo', 'Review Content,Review Score,Date,Display Name,Review Status', 'Published', 'Rejected'],
  ['a French portal', 'Avis,Note,Date,Nom,Statut', 'Publié', 'En attente'],
];
for (const [platform, header, shown, state] of HELD_BACK) {
  test(`counts what ${platform} holds back, and publishes it once it is shown`, async (dataset) => {
    const take = (second: string) => {
      const rows = [`Fine,5,2024-01-13,Ada,${shown}`, `Bad,1,2024-01-14,Bo,${second}`];
      return dataset.runText('a.csv', [header, ...rows].join('\n'), SHOP);
    };
    assert.equal((await take(state)).cleaned.heldBack, 1);
    assert.deepEqual(await dataset.column('verified'), [true, false]);
    assert.deepEqual(await dataset.column('held_back'), [undefined, true]);
    await take(shown);
    assert.deepEqual(await dataset.column('verified'), [true, true]);
    assert.deepEqual(await dataset.column('held_back'), [undefined, undefined]);
  });
}

const PORTALS = ['Jameda', 'Google', 'Google', 'Jameda', 'Google'];
const MIXED = [
  'Portal,Sterne,Datum,Text',
  ...PORTALS.map((portal, row) => `${portal},${row + 1},0${row + 1}.05.2024,Text ${row}`),
].join('\n');

test('states for each platform of a file what verified means there', async (dataset) => {
  await assert.rejects(dataset.runText('a.csv', MIXED, { accept }), /a review on jameda is real/);
  const verification = 'Only patients can write a review.';
  const { files } = await dataset.runText('a.csv', MIXED, { accept, verification });
  const stated = files[0]!.verification as Record<string, string>;
  assert.match(stated.google!, /signed-in Google account/);
  assert.equal(stated.jameda, 'Only patients can write a review.');
  // The next import knows the sentence.
  await dataset.runText('b.csv', MIXED.replaceAll('Text ', 'Word '), { accept });
});

test('asks for the platform where nothing names it', async (dataset) => {
  const csv = 'stars,date,comment\n2,2024-01-01,Text 0\n3,2024-01-02,Text 1\n';
  const unnamed = /does not say which platform .* --source PLATFORM/;
  await assert.rejects(dataset.runText('a.csv', csv, { accept }), unnamed);
});

/** Ratings that a person names, and whether they are those of the place. */
const NAMED: [column: string, values: string[], isOfPlace: boolean][] = [
  ['Shop rating', ['5', '5'], true],
  ['Average', ['4', '4'], true],
  ['Level', ['4.6', '4.6'], true],
  ['Level', ['4', '4'], false],
  ['Average', ['4', '5'], false],
  ['Average', ['4'], false],
];
for (const [column, values, isOfPlace] of NAMED) {
  test(`${isOfPlace ? 'refuses' : 'takes'} ratings named ${column}: ${values.join()}`, async (dataset) => {
    const options = { ...SHOP, map: parseMap(`rating=${column},date=Date`) };
    const csv = withColumns(column, ...values).join('\n');
    const done = dataset.runText('a.csv', csv, options).catch((error: Error) => error);
    assert.equal(
      /in all rows, which is the rating of the place/.test(String(await done)),
      isOfPlace,
    );
    assert.equal((await dataset.records()).length, isOfPlace ? 0 : values.length);
  });
}

/** Ratings that may be school grades: with tenths where no best rating is known, and on jameda. */
const GRADED: [source: string, column: string, values: string[], isAsked: boolean][] = [
  ['house', 'Bewertung', ['1.3', '5.7'], true],
  ['house', 'Bewertung', ['1.5', '6'], false],
  ['provenexpert', 'Bewertung', ['1.3', '4.7'], false],
  ['jameda', 'Bewertung', ['1', '2'], true],
  ['jameda', 'Sterne', ['1', '2'], false],
];
for (const [source, column, values, isAsked] of GRADED) {
  test(`${isAsked ? 'asks' : 'does not ask'} about grades on ${source} in ${column}: ${values.join()}`, async (dataset) => {
    const map = parseMap(`rating=${column},date=Date`);
    const csv = withColumns(column, ...values).join('\n');
    const done = dataset
      .runText('a.csv', csv, { ...SHOP, source, map })
      .catch((error: Error) => error);
    assert.equal(/school grades/.test(String(await done)), isAsked);
  });
}

const GRADES = 'Datum,Name,Note,Kommentar\n03.01.2025,Ann,1,Sehr gut\n05.01.2025,Bo,6,Nie wieder\n';
/** Airbnb has no stars. */
const AIRBNB =
  'listing_id,id,date,reviewer_name,comments\n1,2,2024-01-01,Ada,Fine\n1,3,2024-01-02,Bo,Late\n';
const CUT = Buffer.from('rating;text\n5;Grüße aus Kö').subarray(0, -1);

const UNENDED = `rating,date\n5,"${'x'.repeat(4_000_000)}`;
const OLD_EXCEL = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const WEB_PAGE = '<html><table><tr><td>"5</td></tr></table></html>';

const NOTHING: [file: string, content: string | Uint8Array, reason: RegExp][] = [
  ['a.csv', AIRBNB, /Say which is the rating: .*\nA review without stars cannot be published/],
  ['a.csv', GRADES, /Note may have school grades, of which 1 is the best/],
  ['a.csv', '', /a\.csv: is empty/],
  ['a.csv', CUT, /a\.csv: is not UTF-8, or was cut short/],
  ['a.csv', UNENDED, /row 2 is larger than 1 MiB: a quotation mark/],
  ['a.json', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, /is nested deeper than 50 levels/],
  ['a.json', '{"reviews": [{"rating": 5}, {', /a\.json: broken JSON: /],
  ['a.json', '{"data": [["Ann", 5]]}', /has no list of objects, .* save it as CSV/],
  ['a.jsonl', '{"rating":5,"date":"2024-01-01"}\n{"r', /a\.jsonl:2: broken JSON/],
  ['a.zip', deflated('reviews.csv', 'x', 210_000_000), /reviews\.csv: is larger than 192 MiB/],
  ['a.zip', deflated('reviews.csv', 'x'.repeat(50_000_000), 100), /too many bytes/],
  ['a.xls', OLD_EXCEL, /is an old or encrypted Excel file: save it as \.xlsx or CSV/],
  ['a.xls', WEB_PAGE, /is a web page without a table/],
];
for (const [file, content, reason] of NOTHING) {
  test(`refuses ${file} in one line, and records nothing: ${reason.source}`, async (dataset) => {
    const before = await dataset.files();
    const started = process.cpuUsage();
    await assert.rejects(dataset.runText(file, content, { source: 'google' }), reason);
    assert.ok(process.cpuUsage(started).user < 10e6, 'takes long');
    assert.deepEqual(await dataset.files(), before);
  });
}

test('refuses what is no file', async (dataset) => {
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

test('writes what it skips beside the file, to be corrected and imported again', async (dataset) => {
  const beside = join(dataset.folder, '..');
  const reviews = [
    google({ starRating: 'ONE', comment: 'Text, 0' }, 'r0'),
    google({ starRating: '', comment: 'Text, 1' }, 'r1'),
    google({ starRating: 'FIVE', comment: '=1+1 is "two"', createTime: 'soon' }, 'r2'),
  ];
  await writeFile(join(beside, 'export.json'), JSON.stringify({ reviews }));
  const output = await runImport(dataset, 'export.json');
  assert.match(output, /1 added, .* 2 skipped/);
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
  assert.deepEqual((await dataset.values('source_id', 'rating', 'text')).sort(), [
    ['r0', 1, 'Text, 0'],
    ['r1', 3, 'Text, 1'],
    ['r2', 5, '=1+1 is "two"'],
  ]);
  await assert.rejects(runImport(dataset, 'rejected.csv', '--withdraw'), /full export/);
  const written = (await readdir(beside)).filter((name) => name.includes('rejected'));
  assert.deepEqual(written.sort(), ['rejected-2.csv', 'rejected.csv']);
});

/** An archive of one file that is compressed, and states this size. */
function deflated(name: string, text: string, size?: number): Buffer {
  const data = Buffer.from(text);
  const packed = deflateRawSync(data);
  const stored = packZip({ [name]: packed });
  // The local header is at 0, the central one after the data.
  const central = 30 + name.length + packed.length;
  for (const header of [0, central + 2]) {
    stored.writeUInt16LE(8, header + 8);
    stored.writeUInt32LE(size ?? data.length, header + 22);
  }
  return stored;
}

test('a row that an export without ids has in another version is an edit', async (dataset) => {
  const sheet = (...rows: string[]) => ['Date,Name,Stars,Review', ...rows].join('\n');
  const take = async (given: string) => {
    const { counts } = await dataset.runText('a.csv', given, { accept, source: 'google' });
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

test('a key __proto__ hides no value around a list of reviews', () => {
  const text = '{"total":9,"places":[{"__proto__":null,"reviews":[{"id":1}]}]}';
  const { head } = readJsonRows('a.json', text, (rows) => Number('id' in rows[0]!));
  assert.equal(head.total, 9);
});
