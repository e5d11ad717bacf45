import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ContentError } from '../../src/content/issue.ts';
import { readContent } from '../../src/content/read-content.ts';
import { assertIssues, contentFolder, issuesOf, type Changes } from '../support/content-folder.ts';
import { DATASET } from '../support/fixtures.ts';
import { tombstoneOf } from '../support/journal.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const FILE = 'reviews/2026.jsonl';
const business = (fields: object) =>
  JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning', ...fields });
const faq = (head: string) => `---\n${head}\n---\n\nThey do.\n`;

const SAMPLE_SUMMARY = readFileSync(join(DATASET, 'summary.md'), 'utf8');
const BUSINESS = `{
  "name": "Fenwick Drains",
  "category": "drain cleaning",
  "service_areas": [
    "alder-bay",
    "atlantis"
  ],
  "same_as": [
    "javascript:alert(1)"
  ]
}
`;
const EVIDENCE = `question: Late?
evidence:
  aspects: [pricing, karma]
  topics: [estimates]
  services: [rocketry]
  problems:
    - late-arrival
    - ghosts`;
const QUESTION = faq('question: Is it dear?\nevidence: { aspects: [pricing] }');
const annotated = (fields: object): Changes => ({
  'annotations/people.jsonl': jsonl({
    review_id: '01KDZ3ZMSNFENW1CKDRA1NS001',
    content_hash: '0123456789abcdef',
    source: 'a person',
    ...fields,
  }),
});
const LABEL = { id: 'pricing', sentiment: 'positive', quote: null };
const TWICE = { aspects: [LABEL, LABEL], problems: ['late', 'late'] };
const PEOPLE = 'annotations/people.jsonl:1:';
/** YAML whose aliases stand for ten aliases each. */
const BOMB = [...'bcdefgh'].map((letter, index) => {
  const before = 'abcdefgh'[index];
  return `${letter}: &${letter} [${Array(10).fill(`*${before}`).join(',')}]`;
});
const TWINS = '[{"id":"ada-lind","name":"Ada Lind"},{"id":"ada-2","name":"ada  LIND"}]';
const TOPICS = JSON.stringify([{ id: 'a', label: 'A', terms: ['a'], aspect_ids: ['none'] }]);
const hours = (opens: string, closes: string): Changes => ({
  'business.json': business({ hours: [{ day: 'monday', opens, closes }] }),
});
const CROWDED = Array.from({ length: 510 }, (_, at) =>
  jsonl(record({ id: ulidOf(at), attributes: { Order: `${at}` } })),
).join('');
const DEEP = '['.repeat(20_000) + ']'.repeat(20_000);

/** Changes of a valid folder, and the beginning of every issue that they make, in any order. */
const ISSUES: [changes: Changes, issues: string[]][] = [
  [{}, []],
  [{ 'business.json': null }, ['business.json: is missing']],
  [
    { 'business.json': BUSINESS.replace('cleaning",', 'cleaning"') },
    ['business.json:4: broken JSON'],
  ],
  [
    { 'business.json': '<<<<<<< ours\n{}\n=======\n', 'summary.md': 'On time.\n>>>>>>> theirs\n' },
    ['business.json:1: is where git could not merge', 'summary.md:2: is where git could not'],
  ],
  [{ 'business.json': '{', 'summary.md': SAMPLE_SUMMARY }, ['business.json:1: broken JSON']],
  [
    { [FILE]: '[\n{"a":1},\n' },
    [
      `${FILE}:1: broken JSON: Unexpected end of JSON input; each line must be one whole`,
      `${FILE}:2: broken JSON: Unexpected non-whitespace character after JSON at column 8;`,
    ],
  ],
  [{ 'vocabulary/problems.json': '[\n {},\n]\n' }, ['vocabulary/problems.json:3: broken JSON: ']],
  [{ 'faq/late.md': '---\nquestion: "Late?\n---\nNo.\n' }, ['faq/late.md:2: broken YAML: ']],
  [{ 'business.json': BUSINESS }, ['business.json:9: same_as.0: must be an absolute http(s) link']],
  [
    { 'business.json': BUSINESS.replace('javascript:alert(1)', 'https://ok.example/') },
    ['business.json:6: service_areas.1: no service area has this id'],
  ],
  [
    { 'business.json': '{\n  "name": "A",\n  "phone": "207 555",\n  "motto": "Dry feet"\n}\n' },
    [
      'business.json:1: category: is missing',
      'business.json:3: phone: must be E.164',
      'business.json:4: motto: is not a known field',
    ],
  ],
  [{ 'summary.md': 'Fine ❤️.\r\n\r\nHid\u200bden.\r\n' }, ['summary.md:3: has the invisible']],
  [
    {
      'reviews/2026.jsonl': jsonl(record({ id: ulidOf(1) })),
      'withdrawn.jsonl': jsonl(tombstoneOf(1), { ...tombstoneOf(1), text: 'Swift.' }),
    },
    ['withdrawn.jsonl:1: id: is also that of a review', 'withdrawn.jsonl:2: text: is not a known'],
  ],
  [
    { 'withdrawn.jsonl': jsonl(tombstoneOf(9), tombstoneOf(9)) },
    ['withdrawn.jsonl:2: id: is also that of a review'],
  ],
  [{ 'reviews/2025.json': '[]', 'reviews/.keep': '' }, ['reviews/2025.json: is not a .jsonl file']],
  [
    { 'faq/price list.md': QUESTION, 'faq/main.md': QUESTION, 'faq/größe-2.md': QUESTION },
    ['faq/main.md:1: name: is an anchor that', 'faq/price list.md:1: name: must be an anchor'],
  ],
  [
    { 'faq/late.md': faq(EVIDENCE), 'faq/notes.txt': 'anything' },
    [
      'faq/late.md:4: evidence.aspects.1: no entry',
      'faq/late.md:6: evidence.services.0: no entry',
      'faq/late.md:9: evidence.problems.1: no entry',
    ],
  ],
  [annotated({ review_id: ulidOf(99) }), [`${PEOPLE} review_id: no review has this id`]],
  [annotated({ technicians: ['nobody'] }), [`${PEOPLE} technicians.0: no entry`]],
  [annotated(TWICE), [`${PEOPLE} aspects: names one twice`, `${PEOPLE} problems: names one twice`]],
  [
    { [FILE]: CROWDED },
    [`${FILE}:501: attributes.Order: is one more than the 500 different ones that there may be`],
  ],
  [
    { [FILE]: jsonl(record()).replace('"id"', '"rating":1,"id"') },
    [`${FILE}:1: rating: is there twice`],
  ],
  [
    { 'vocabulary/technicians.json': TWINS, 'vocabulary/topics.json': TOPICS },
    [
      'vocabulary/technicians.json:1: 1.name: is also a name of ada-lind',
      'vocabulary/topics.json:1: 0.aspect_ids.0: no aspect has this id',
    ],
  ],
  [hours('17:30', '07:30'), ['business.json:1: hours.0.closes: is before it opens']],
  [hours('00:00', '00:00'), ['business.json:1: hours.0.closes: is when it opens']],
  [hours('00:00', '24:00'), ['business.json:1: hours.0.closes: must be a time of day, 00:00 to 2']],
  [
    { 'business.json': business({ time_zone: 'America/Newyork' }) },
    ['business.json:1: time_zone: is no IANA'],
  ],
  [
    { 'summary.md': 'Good.\n\nOn time in {{aspects.x.y z percent.\n' },
    ['summary.md:3: has a placeholder'],
  ],
  [{ 'business.json': DEEP }, ['business.json:1: must be an object (was …)']],
  [
    { 'faq/bomb.md': faq(['a: &a [x,x]', ...BOMB].join('\n')) },
    ['faq/bomb.md:1: cannot be read: Excessive alias'],
  ],
  [
    { [FILE]: Buffer.from(jsonl(record(), record({ id: ulidOf(2), author: 'José' })), 'latin1') },
    [`${FILE}:2: is not valid UTF-8`],
  ],
  // Its bytes may be valid UTF-8.
  [
    { 'business.json': Buffer.from('{"name":"A","category":"b"}', 'utf16le') },
    ['business.json:1: '],
  ],
  [
    { [FILE]: 'null\n[]\n"review"\n' },
    [
      `${FILE}:1: must be an object (was null)`,
      `${FILE}:2: must be an object (was [])`,
      `${FILE}:3: must be an object (was "review")`,
    ],
  ],
  [
    { [FILE]: `{"id": "x",}\n\n${jsonl(record({ rating: 7 }))}{"id":` },
    [
      `${FILE}:1: broken JSON: `,
      `${FILE}:3: rating: must be a whole number from 1 to 5 (was 7)`,
      `${FILE}:4: broken JSON: `,
    ],
  ],
  [
    {
      'reviews/2025.jsonl': jsonl(record({ id: ulidOf(7) })),
      [FILE]: jsonl(
        record({ id: ulidOf(8) }),
        record({ id: ulidOf(8) }),
        record({ id: ulidOf(7) }),
      ),
    },
    [
      `${FILE}:2: id: is already used at content/${FILE}:1 (was "${ulidOf(8)}")`,
      `${FILE}:3: id: is already used at content/reviews/2025.jsonl:1 (was "${ulidOf(7)}")`,
    ],
  ],
];

for (const [changes, issues] of ISSUES) {
  test(`names file, line and field of each issue: ${issues.join(', ')}`, (context) =>
    assertIssues(context, changes, issues));
}

test('refuses a question that is nested too deeply', async (context) => {
  const issues = await issuesOf(context, { 'faq/deep.md': faq(`question: ${DEEP}`) });
  assert.match(issues.join('\n'), /^content\/faq\/deep\.md:2: broken YAML: /);
});

test('accepts hours past midnight, two shifts a day, and the same key in two objects', async (context) => {
  const hours = [
    { day: 'friday', opens: '11:00', closes: '14:00' },
    { day: 'friday', opens: '17:00', closes: '02:00' },
  ];
  const changes = { 'business.json': business({ hours, time_zone: 'Europe/Berlin' }) };
  await assertIssues(context, changes, []);
});

test('needs no other file than business.json', async (context) => {
  const others = ['reviews', 'vocabulary', 'faq', 'annotations', 'summary.md'];
  const changes = Object.fromEntries(others.map((name) => [name, null]));
  const folder = await contentFolder(context, { ...changes, 'business.json': business({}) });
  const { reviews, vocabulary, faq, summary } = await readContent(folder);
  assert.deepEqual([reviews, vocabulary.services, summary], [[], [], null]);
  assert.ok(faq.every(({ answer }) => answer === null));
});

test('reports the issues of all files in one run', async (context) => {
  const files = {
    'business.json': BUSINESS,
    'faq/late.md': 'No head.',
    'reviews/2025.jsonl': jsonl(record({ rating: 9 })),
    'reviews/2026.jsonl': jsonl(record({ id: ulidOf(2) }), { id: 3 }),
    'summary.md': Buffer.from([0xff]),
    'vocabulary/problems.json': '[',
  };
  await assert.rejects(readContent(await contentFolder(context, files)), (error) => {
    const { issues, message } = error as ContentError;
    const named = new Set(issues.map(({ file }) => file.replace('content/', '')));
    assert.deepEqual([...named].sort(), Object.keys(files));
    const [title, ...lines] = message.split('\n');
    assert.equal(title, `content/ has ${issues.length} issues:`);
    assert.equal(lines.length, issues.length);
    return true;
  });
});

test('refuses what is no file, and does not wait for it', { timeout: 20_000 }, async (context) => {
  const folder = await contentFolder(context, { 'summary.md': null });
  execFileSync('mkfifo', [join(folder, 'summary.md')]);
  await assert.rejects(readContent(folder), /summary\.md: is not a file/);
});

test('reads CRLF, a byte order mark and blank lines as if they were not there', async (context) => {
  const plain = jsonl(record(), record({ id: ulidOf(2), text: 'Zoë came.\nTwice.' }));
  const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
  const read = async (reviews: string, question: string) =>
    readContent(await contentFolder(context, { [FILE]: reviews, 'faq/prices.md': question }));
  const spaced = windows(`\n\n${plain.replace('\n', '\n\n \n')}\n\n`);
  assert.deepEqual(await read(spaced, windows(QUESTION)), await read(plain, QUESTION));
});

async function warningsOf(context: TestContext, changes: Changes): Promise<string[]> {
  const warnings: string[] = [];
  await readContent(await contentFolder(context, changes), { warn: (line) => warnings.push(line) });
  return warnings;
}

const LOST: [path: string, content: string, warning: RegExp][] = [
  ['faq/prices.MD', '', /^content\/faq\/prices\.MD: is not read: its name must end with \.md$/],
  ['annotations/a.json', '[]', /^content\/annotations\/a\.json: is not read: .* with \.jsonl$/],
  ['vocabulary/topic.json', '[]', /^content\/vocabulary\/topic\.json: is not read: the names are /],
  ['journal/a.txt', '', /^content\/journal\/a\.txt: is not read: its name must end with \.jsonl$/],
  ['reviews/2019.jsonl', '\n', /^content\/reviews\/2019\.jsonl: has no reviews$/],
  ['faq/a.md', faq('question: When?\nevidence: {}'), /faq\/a\.md: evidence: names nothing/],
];
for (const [path, content, warning] of LOST) {
  test(`warns of ${path}`, async (context) => {
    const warnings = await warningsOf(context, { [path]: content });
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0]!, warning);
  });
}

test('has nothing to warn of in a dataset as documented', async (context) => {
  const empty = ['.github/workflows/publish.yml', 'docs/a.md', 'imports.jsonl', 'withdrawn.jsonl'];
  const changes = Object.fromEntries(['README.md', ...empty].map((path) => [path, '']));
  assert.deepEqual(await warningsOf(context, changes), []);
});
