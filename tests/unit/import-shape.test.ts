import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeXlsx, type WriteSheet } from 'hucre/xlsx';
import { packZip } from '../../src/owner/import/pack-zip.ts';
import { rankBy } from '../../src/owner/import/rank.ts';
import type { Table } from '../../src/owner/import/table.ts';
import { readTables } from '../../src/owner/import/tables.ts';

const read = async (name: string, content: string | Uint8Array): Promise<Table[]> => {
  const file = { name, bytes: Buffer.from(content as string) };
  return readTables(file, { rank: rankBy(undefined) });
};

/** The rows of all tables, each as the values that are in it, or the reason why it is left out. */
const rowsIn = (tables: readonly Table[]) =>
  tables.flatMap(({ rows }) => rows.map(({ row, cut }) => cut ?? Object.values(row).join('|')));

const HEADER = 'author,rating,date,text';
const ANN = 'Ann Lee,5,2024-05-06,Great';
const BOB = 'Bob Ray,2,2024-05-07,Stale rolls';
const CY = 'Cy Poe,4,2024-05-08,Fine';
const plain = (...rows: string[]) => rows.map((row) => row.replaceAll(',', '|'));
const csv = (...lines: string[]) => lines.join('\n');
const archive = (files: Record<string, string | Buffer>) =>
  packZip(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string)]),
    ),
  );

const ODS = archive({ 'content.xml': '<x/>' });
const LIKE_TOTALS = ['Total Care,5,2024-05-07,', 'Total,5,2024-05-09,Ok'];
const LONG = 'has 5 of 4 columns';

const TOTAL = 'is a total of the rows above';

/** Texts, or lines below the header, and the rows that are read. */
const CSV: [what: string, text: string | string[], rows: string[], note?: RegExp][] = [
  ['CR ends lines', [HEADER, ANN, BOB].join('\r'), plain(ANN, BOB)],
  ['line ends are mixed', `${HEADER}\r\n${ANN}\n${BOB}\r${CY}`, plain(ANN, BOB, CY)],
  ['sep= names the separator', 'sep=^\nauthor^rating^date\nAnn^5^2024-05-06', ['Ann|5|2024-05-06']],
  ['numbers have decimal commas', 'author;rating\nAnn;4,5\nBob;3,0', ['Ann|4,5', 'Bob|3,0']],
  [
    'a quoted text has lines and separators',
    ['Ann,5,2024-05-06,"One,\nfood, 4, service, good; ""three"""'],
    ['Ann|5|2024-05-06|One,\nfood, 4, service, good; "three"'],
  ],
  ['a text has a comma without quotes', [`${ANN}, but late`, BOB], [LONG, ...plain(BOB)]],
  [
    'a text has a comma, and the header ends in one',
    csv(`${HEADER},`, `${ANN}, but late`, `${BOB},`),
    [LONG, ...plain(BOB)],
  ],
  ['one of few rows ends early', [ANN, 'Bob,2,2024-05-07'], [...plain(ANN), 'has 3 of 4 columns']],
  [
    'quotation marks are not written twice',
    ['Ann,5,2024-05-06,Said "hot" twice', 'Bob,4,2024-05-07,A 12" pizza'],
    ['Ann|5|2024-05-06|Said "hot" twice', 'Bob|4|2024-05-07|A 12" pizza'],
    /unescaped quotation marks/,
  ],
  [
    'all is quoted, but marks are not written twice',
    '"author","rating","text"\n"Ann","5","Said "hot" twice"',
    ['Ann|5|Said "hot" twice'],
    /unescaped quotation marks/,
  ],
  [
    'backslashes precede quotation marks',
    String.raw`"author","rating","text"` + '\n' + String.raw`"Ann","5","Said \"hot\"\nin C:\\x"`,
    ['Ann|5|Said "hot"\nin C:\\x'],
    /as MySQL writes it/,
  ],
  [
    'lines are above the header',
    csv('Export date,2024-06-01', 'Business,Testladen', 'Rating from,to', '', HEADER, ANN, BOB),
    plain(ANN, BOB),
    /its header is in row 5; what is above was not read/,
  ],
  ['files were joined, each with the same header', [ANN, HEADER, BOB], plain(ANN, HEADER, BOB)],
  ['a total is below', [ANN, BOB, 'Durchschnitt:,"3,5",,'], [...plain(ANN, BOB), TOTAL]],
  [
    'totals are below, with the day',
    [ANN, BOB, 'Average,3.5,2024-06-01,', 'Total,12,2024-06-01,'],
    [...plain(ANN, BOB), TOTAL, TOTAL],
  ],
  [
    'six totals are below',
    [ANN, ...'123456'.split('').map((at) => `Average,${at},2024-06-01,`)],
    [...plain(ANN), TOTAL, TOTAL, TOTAL, TOTAL, TOTAL, TOTAL],
  ],
  ['customers have names like totals', [ANN, ...LIKE_TOTALS], plain(ANN, ...LIKE_TOTALS)],
];
for (const [what, text, rows, note = /^$/] of CSV) {
  void test(`reads CSV in which ${what}`, async () => {
    const tables = await read('a.csv', typeof text === 'string' ? text : csv(HEADER, ...text));
    assert.deepEqual(rowsIn(tables), rows);
    assert.match(tables[0]!.notes.join(), note);
  });
}

void test('keeps what is beyond the header, and refuses it until it is moved', async () => {
  const [{ rows } = { rows: [] }] = await read('a.csv', csv(HEADER, `${ANN}, but, late`, BOB));
  assert.deepEqual(Object.values(rows[0]!.row), [...ANN.split(','), ' but', ' late']);
  const rejected = `reason,${HEADER},${Object.keys(rows[0]!.row).slice(4).join()}`;
  const again = await read('rejected.csv', csv(rejected, `x,${ANN}, but, late`, `x,${CY},,`));
  assert.match(again[0]!.rows[0]!.cut!, /^has \d of \d columns$/);
  assert.equal(again[0]!.rows[1]!.cut, undefined);
});

/** Contents of a CSV file, or of one of another name, and the reason why it is refused. */
const REFUSED: [what: string, content: string | Uint8Array, reason: RegExp, name?: string][] = [
  [
    'two reviews that one mark would join',
    csv(HEADER, 'Ann,5,2024-05-06,"Great', 'Bob,2,2024-05-07,"Bad"', CY),
    /^a\.csv: line 3: an unescaped quotation mark .* as \.xlsx or JSON/,
  ],
  [
    'marks that move columns',
    csv(HEADER, 'Ann,5,2024-05-06,"hot", they said', CY, 'Bob,2,2024-05-07,A 12" pizza'),
    /^a\.csv: line 4: /,
  ],
  [
    'a row inside a text',
    csv(HEADER, 'Ann,5,2024-05-06,"Great', BOB, 'Cy,4,2024-05-08,Fine"'),
    /^a\.csv: row 2 has other rows inside a text: .* export it again/,
  ],
  [
    'joined files with columns in another order',
    csv(HEADER, ANN, 'text,rating,date,author', 'Fine,4,2024-05-08,Cy'),
    /^a\.csv: row 3 has the columns in another order: import the files .* one by one/,
  ],
  ['a PDF', '%PDF-1.7\n', /^a\.pdf: is a PDF, not a table: ask/, 'a.pdf'],
  ['a gzip archive', Buffer.from('1f8b0800', 'hex'), /is a gzip archive: unpack it/, 'a.gz'],
  [
    'an archive in an archive',
    archive({ 'reviews.csv': archive({ 'reviews.csv': csv(HEADER, ANN) }) }),
    /^a\.zip\/reviews\.csv: is an archive in an archive: unpack it/,
    'a.zip',
  ],
  ['an OpenDocument file', ODS, /^a\.ods: is an OpenDocument file: .* as \.xlsx or CSV/, 'a.ods'],
  [
    'an archive without tables',
    archive({ 'photo.jpg': 'x', 'deep/a.zip': 'x' }),
    /^a\.zip: .*unpack it and import the file; it has photo\.jpg, deep\/a\.zip$/,
    'a.zip',
  ],
  [
    'what a person wrote on Google Maps',
    '{"type":"FeatureCollection","features":[{"properties":{"five_star_rating_published":5}}]}',
    /^Reviews\.json: has reviews that one person wrote on Google Maps/,
    'Reviews.json',
  ],
  ['cut XML', '<reviews><review>', /not end with <\/reviews>/, 'a.xml'],
  ['UTF-32', Buffer.from('fffe000061000000', 'hex'), /is UTF-32: save it as UTF-8/],
  ['a dump in SQL', 'INSERT INTO r VALUES (1, 5);\n', /is a dump of a database in SQL/, 'a.sql'],
  ['a script', '/*O_o*/\nvar reviews = [{"a":1}];', /is a script: save the JSON in it/, 'a.js'],
  ['JSON that is cut short', '[{"text":"NaN, ]', /broken JSON: .* export it again$/, 'a.json'],
];
for (const [what, content, reason, name = 'a.csv'] of REFUSED) {
  void test(`refuses ${what}, and says what to do`, async () => {
    await assert.rejects(read(name, content), ({ message }: Error) => {
      assert.match(message, reason);
      return !message.includes('--map');
    });
  });
}

const review = (author: string, more: object = {}) => {
  return { author, rating: 5, date: '2024-05-06', text: `By ${author}`, ...more };
};

void test('reads JSON with NaN and commas too much, but not in texts', async () => {
  const text = '[{"a":NaN,"b":-Infinity,"c":"NaN, ] \\" ,}"},]';
  const [table] = await read('a.json', text);
  assert.deepEqual(table!.rows[0]!.row, { a: null, b: null, c: 'NaN, ] " ,}' });
  assert.match(table!.notes.join(), /not quite JSON/);
  assert.deepEqual((await read('a.json', '[{"c":"NaN,]"}]'))[0]!.notes, []);
  const lines = await read('a.jsonl', '{"a":1}\n\n{"a":2}\n');
  assert.deepEqual(lines[0]!.notes, []);
  assert.deepEqual(lines[0]!.rows, [
    { number: 1, row: { a: 1 } },
    { number: 3, row: { a: 2 } },
  ]);
});

const [first, second] = [review('Ann'), { ...review('Bob'), rating: 2 }] as const;
const columnsOfBoth = Object.fromEntries(
  Object.keys(first).map((name) => [name, { 0: first[name as 'text'], 1: second[name as 'text'] }]),
);
const both = JSON.stringify([first, second]);
const FORMS: Record<string, string> = {
  'objects by their ids': JSON.stringify({ x9: first, y7: second }),
  'a member with objects by their ids': JSON.stringify({ all: 2, of: { x9: first, y7: second } }),
  'columns of numbered cells': JSON.stringify(columnsOfBoth),
  'JSON as a text in JSON': JSON.stringify({ body: both }),
  'numbers and dates of MongoDB': both
    .replaceAll(/:(\d)/g, ':{"$numberInt":"$1"}')
    .replaceAll(/("2024[^"]+")/g, '{"$date":$1}'),
  'values of DynamoDB': both
    .replaceAll(/:("[^"]+")/g, ':{"S":$1}')
    .replaceAll(/:(\d)/g, ':{"N":"$1"}'),
  'values of Firestore': both
    .replaceAll(/:("[^"]+")/g, ':{"stringValue":$1}')
    .replaceAll(/:(\d)/g, ':{"integerValue":"$1"}'),
};
for (const [what, text] of Object.entries(FORMS)) {
  void test(`reads ${what}`, async () => {
    const [table, ...others] = await read('a.json', text);
    assert.deepEqual([others, table!.unread], [[], []]);
    const found = table!.rows.map(({ row }) => `${row.author as string} ${Number(row.rating)}`);
    assert.deepEqual(found, ['Ann 5', 'Bob 2']);
  });
}

void test('gives a table without a header the numbers of its columns, and keeps its first row', async () => {
  const text = '"1714989600","o-1","5","Good"\n"1715076000","o-2","2","Bad"\n';
  const [table] = await read('a.csv', text);
  const third = table!.rows.map(({ row }) => row['column 3']);
  assert.deepEqual(third, ['5', '2']);
});

void test('reads the list whose rows look most like reviews, and names others', async () => {
  const order = (author: string) => ({
    customer: { name: author },
    service: { rating: { rating: 5 }, review: 'Quick', created_at: '2024-05-06' },
    products: [
      { rating: 1, review: 'Broke', date: '2024-05-07' },
      { rating: 2, review: 'Meh', date: '2024-05-08' },
    ],
    images: [{ url: 'a' }, { url: 'b' }],
  });
  const document = {
    orders: [order('Ann'), order('Bob')],
    posts: [{ text: 'Hi' }, { text: 'Ho' }],
  };
  const [table] = await read('a.json', JSON.stringify(document));
  const texts = table!.rows.map(({ row }) => row['service.review']);
  assert.deepEqual(texts, ['Quick', 'Quick']);
  assert.deepEqual(table!.unread, [{ what: 'the list orders.products', rows: 4 }]);
});

const OLD = { who: 'Di', stars: 4, day: '2024-05-06', words: 'Good' };
const { date: _, ...DAYLESS } = first;
/** Members of an object beside its reviews, and the lists that are named as left out. */
const BESIDE: [what: string, members: object, unread: [list: string, rows: number][]][] = [
  ['a list without days', { others: [DAYLESS, DAYLESS] }, []],
  ['a list with other columns', { old: [OLD, OLD] }, [['old', 2]]],
  ['one review with other columns', { old: [OLD] }, [['old', 1]]],
  ['what is in most lists of the same name', { reviewsOld: [OLD] }, [['reviewsOld', 1]]],
  ['stars and a day of the place', OLD, []],
  ['a review that is in the list', { featured: [second] }, []],
];
for (const [what, members, unread] of BESIDE) {
  void test(`reads reviews that have beside them ${what}`, async () => {
    const [table] = await read('a.json', JSON.stringify({ reviews: [first, second], ...members }));
    assert.equal(table!.rows.length, 2);
    const named = unread.map(([list, rows]) => ({ what: `the list ${list}`, rows }));
    assert.deepEqual(table!.unread, named);
  });
}

void test('reads lists that differ by a number as one', async () => {
  const document = { 2023: [review('Ann'), review('Bob')], 2024: [review('Cy')] };
  const [table] = await read('a.json', JSON.stringify({ byYear: document }));
  assert.equal(table!.rows.length, 3);
  assert.deepEqual(table!.unread, []);
});

void test('tells the platforms and the places of lists by what is around them', async () => {
  const told = async (document: unknown) => {
    const [table] = await read('a.json', JSON.stringify(document));
    return table!.rows.map(({ row }) => [row.platform, row['place around the rows']]);
  };
  const around = (more: object) =>
    ['google', 'yelp'].map((platform, at) => ({
      platform,
      ...more,
      reviews: [[first, second][at]],
    }));
  const none = undefined;
  const platforms = [
    ['google', none],
    ['yelp', none],
  ];
  assert.deepEqual(await told({ google: [first], yelp: [second] }), platforms);
  assert.deepEqual(await told(around({})), platforms);
  const places = [
    [none, 'google'],
    [none, 'ours'],
  ];
  assert.deepEqual(await told({ google: [first], ours: [second] }), places);
  const both = [
    ['google', 'Graz'],
    ['yelp', 'Graz'],
  ];
  assert.deepEqual(await told(around({ name: 'Graz' })), both);
});

const NAMES = ['Name', 'Rating', 'Date', 'Review'];
const OTHER_NAMES = ['Author', 'Stars', 'Day'];
const day = (text: string) => new Date(`2024-${text}T00:00:00Z`);
const sheet = (name: string, author: string, more: Partial<WriteSheet> = {}): WriteSheet => ({
  name,
  rows: [
    NAMES,
    [author, 5, day('05-06'), `By ${author}`],
    [`${author} II`, 2, day('05-17'), 'Bad'],
  ],
  ...more,
});
const excel = async (...sheets: WriteSheet[]) => read('a.xlsx', await writeXlsx({ sheets }));
const authorsIn = (tables: readonly Table[]) => rowsIn(tables).map((row) => row.split('|')[0]);

void test('reads the sheets with the columns of the best one, and names what is hidden', async () => {
  const tables = await excel(
    sheet('Rejected', 'Spam', { hidden: true }),
    { name: 'Summary', rows: [['Metric', 'Value'], ['Average']] },
    sheet('2023', 'Ann'),
    sheet('2024', 'Bob', { rowDefs: new Map([[2, { hidden: true }]]) }),
    { name: 'Old', rows: [OTHER_NAMES, ['Di', 5, day('05-06')]] },
  );
  assert.deepEqual(authorsIn(tables), ['Ann', 'Ann II', 'Bob']);
  const sheets = tables.flatMap(({ rows }) => rows.map(({ sheet }) => sheet));
  assert.deepEqual(sheets, ['2023', '2023', '2024']);
  const months = await excel(sheet('January', 'Ann'), sheet('March', 'Bob'));
  assert.equal(rowsIn(months)[0], 'Ann|5|2024-05-06|By Ann');
  const left = tables[0]!.unread.map(({ what, rows }) => `${what}: ${rows}`);
  const hiddenRows = 'hidden rows of the sheet 2024: 1';
  assert.deepEqual(left, ['the hidden sheet Rejected: 2', 'the sheet Old: 1', hiddenRows]);
});

void test('reads rows of a sheet that have a note beside them', async () => {
  const rows = [NAMES, ['Ann', 5, day('05-06'), 'Good', 'call her'], ['Bob', 2, day('05-07')]];
  assert.deepEqual(authorsIn(await excel({ name: 'R', rows })), ['Ann', 'Bob']);
});

void test('reads no sheet that is hidden, even if it is the only one', async () => {
  const hidden = sheet('Reviews', 'Ann', { hidden: true });
  assert.deepEqual(authorsIn(await excel(hidden, sheet('Rejected', 'Spam'))), ['Spam', 'Spam II']);
  await assert.rejects(excel({ name: 'Empty' }, hidden), /all sheets with rows are hidden: show/);
});

void test('leaves out the reading guides of Japanese words', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is>${text}</is></c>`;
  const guide = '<rPh sb="0" eb="2"><t>カンジ</t></rPh>';
  const names = NAMES.map((name) => cell(`<t>${name}</t>`)).join('');
  const values =
    cell('<t>Ann</t>') + '<c><v>5</v></c><c><v>45418</v></c>' + cell(`<t>漢字</t>${guide}`);
  const tables = await read('a.xlsx', workbook(`<row>${names}</row><row>${values}</row>`));
  assert.deepEqual(rowsIn(tables), ['Ann|5|45418|漢字']);
});

void test('reads the entries of an archive that look like reviews, and names others', async () => {
  const readArchive = (files: Record<string, string>) => read('a.zip', archive(files));
  const found = await readArchive({
    'orders.csv': 'order,total\n1,9.90\n',
    'export.csv': csv(HEADER, ANN),
    'sub/more.jsonl': JSON.stringify(review('Bob')),
    '__MACOSX/._export.csv': 'x',
    'old.zip': 'x',
  });
  const names = found.map(({ name }) => name);
  assert.deepEqual(names, ['a.zip/export.csv', 'a.zip/sub/more.jsonl']);
  assert.deepEqual(found[0]!.unread, [{ what: 'the entry old.zip', rows: 0 }]);
  const ofFormats = await readArchive({
    'google.json': '[{"reviewId":"r1","starRating":"FIVE","createTime":"2024-05-06T10:00:00Z"}]',
    'yelp.json': '[{"id":"y1","rating":2,"time_created":"2024-05-07","user":{"name":"Bob"}}]',
    'other.csv': csv(OTHER_NAMES.join(), 'Di,5,2024-05-06'),
  });
  assert.equal(ofFormats.length, 2);
  assert.deepEqual(ofFormats[0]!.unread, [{ what: 'the entry other.csv', rows: 1 }]);
  const named = await readArchive({
    'Takeout/reviews.csv': csv(HEADER, ANN),
    'Takeout/Maps/Reviews.json': '{"type":"FeatureCollection","x":"five_star_rating_published"}',
    'export.csv': csv(HEADER, BOB, CY),
  });
  assert.deepEqual(authorsIn(named), ['Ann Lee']);
  assert.deepEqual(named[0]!.unread, [{ what: 'the entry export.csv', rows: 0 }]);
});

/** A workbook with these rows in a sheet, or in many. */
function workbook(rows: string, sheets = 1): Buffer {
  const xmlns = 'http://schemas.openxmlformats.org';
  const types = `${xmlns}/officeDocument/2006/relationships`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;
  const relations = (inner: string) =>
    `<Relationships xmlns="${xmlns}/package/2006/relationships">${inner}</Relationships>`;
  const list = times(sheets, (at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId1"/>`);
  const main = `xmlns="${xmlns}/spreadsheetml/2006/main" xmlns:r="${types}"`;
  return archive({
    '[Content_Types].xml': `<Types xmlns="${xmlns}/package/2006/content-types"/>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook ${main}><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml')),
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
  });
}

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
/** Numbers in keys would be read as one list. */
const inLetters = (number: number) => number.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');

const ONE_CELL = '<row><c><v>1</v></c></row>';
const WIDE_ROW = `${','.repeat(1999)}\n`;
const HUGE: [what: string, name: string, content: () => string | Buffer, reason: RegExp][] = [
  [
    '60,000 entries',
    'a.zip',
    () => archive(Object.fromEntries(times(60_000, (at) => [`reviews${at}.csv`, 'x']))),
    /has more than 5,000 entries/,
  ],
  [
    '190,000 lists',
    'a.json',
    () => `{${times(190_000, (at) => `"${inLetters(at)}":[{"a":1}]`).join()}}`,
    /more than 2,000 columns/,
  ],
  [
    'lists of many objects',
    'a.json',
    () => `[${times(1900, (at) => `{"${'l'.repeat(1 + at)}":[{"a":1}]}`).join()}]`,
    /more than 500 lists/,
  ],
  [
    '50,000 objects with a key each',
    'a.json',
    () => `[${times(50_000, (at) => `{"k${at}":1}`).join()}]`,
    /more than 2,000 columns/,
  ],
  ['20,000 sheets', 'a.xlsx', () => workbook(ONE_CELL, 20_000), /more than 200 sheets/],
  [
    'a cell in the last column of each row',
    'a.xlsx',
    () => workbook(times(20_000, (at) => `<row><c r="XFD${at + 1}"><v>1</v></c></row>`).join('')),
    /more than 2,000 columns/,
  ],
  [
    'a cell in the last of a million rows',
    'a.xlsx',
    () => workbook('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
    /more than 250,000 rows/,
  ],
  ['ten million cells', 'a.csv', () => WIDE_ROW.repeat(5000), /more than 5 million cells/],
];
for (const [what, name, content, reason] of HUGE) {
  void test(`refuses ${what} in one line, and soon`, async () => {
    const bytes = content();
    const before = process.cpuUsage();
    await assert.rejects(read(name, bytes), ({ message }: Error) => {
      assert.match(message, reason);
      return message.startsWith(`${name}: `);
    });
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 10e6, `takes ${(user + system) / 1e6} s`);
  });
}
