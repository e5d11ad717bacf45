import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentError } from '../../src/content/issue.ts';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf, type Changes } from '../support/content-folder.ts';
import { tombstoneOf } from '../support/journal.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

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
const EVIDENCE = `---
question: Late?
evidence:
  aspects: [pricing, karma]
  topics: [estimates]
  services: [rocketry]
  problems:
    - late-arrival
    - ghosts
---
No.
`;
const QUESTION = '---\nquestion: Is it dear?\nevidence: { aspects: [pricing] }\n---\nNo.\n';
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

/** Changes of a valid folder, and the beginning of every issue that they make, in any order. */
const ISSUES: [changes: Changes, issues: string[]][] = [
  [{}, []],
  [{ 'business.json': null }, ['business.json: is missing']],
  [
    { 'business.json': BUSINESS.replace('cleaning",', 'cleaning"') },
    ['business.json:4: broken JSON'],
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
    { 'faq/late.md': EVIDENCE, 'faq/notes.txt': 'anything' },
    [
      'faq/late.md:4: evidence.aspects.1: no entry',
      'faq/late.md:6: evidence.services.0: no entry',
      'faq/late.md:9: evidence.problems.1: no entry',
    ],
  ],
  [annotated({ review_id: ulidOf(99) }), [`${PEOPLE} review_id: no review has this id`]],
  [annotated({ technicians: ['nobody'] }), [`${PEOPLE} technicians.0: no entry`]],
  [annotated(TWICE), [`${PEOPLE} aspects: names one twice`, `${PEOPLE} problems: names one twice`]],
];

for (const [changes, issues] of ISSUES) {
  test(`names file, line and field of each issue: ${issues.join(', ')}`, async (context) => {
    const all = await issuesOf(context, changes);
    const found = all.map((issue) => issue.replace(/^content\//, '')).sort();
    assert.equal(found.length, issues.length, found.join('\n'));
    for (const [at, issue] of issues.entries()) assert.ok(found[at]!.startsWith(issue), found[at]);
  });
}

test('needs no other file than business.json', async (context) => {
  const business = JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' });
  const others = ['reviews', 'vocabulary', 'faq', 'annotations', 'summary.md'];
  const changes = Object.fromEntries(others.map((name) => [name, null]));
  const folder = await contentFolder(context, { ...changes, 'business.json': business });
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
