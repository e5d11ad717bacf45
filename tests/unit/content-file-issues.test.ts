import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentError } from '../../src/content/issue.ts';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf, type Changes } from '../support/content-folder.ts';
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
const QUESTION =
  '---\nquestion: What does it cost?\nevidence: { aspects: [pricing] }\n---\nLittle.\n';
const TOMBSTONE = {
  id: ulidOf(1),
  date: '2026-03-01',
  source: 'google',
  withdrawn_at: '2026-04-01T00:00:00Z',
  reason: 'no longer in the full export',
};
const annotated = (fields: object): Changes => ({
  'annotations/people.jsonl': jsonl({
    review_id: '01KDZ3ZMSNFENW1CKDRA1NS001',
    content_hash: '0123456789abcdef',
    source: 'a person',
    ...fields,
  }),
});
const LABEL = { id: 'pricing', sentiment: 'positive', quote: null };
const UNKNOWN = 'no entry of the vocabulary has this id';

/** Changes of a valid folder, and every issue that they make, in any order; a pattern is of one line. */
const ISSUES: [behavior: string, changes: Changes, issues: (string | RegExp)[]][] = [
  ['nothing in the valid folder', {}, []],
  [
    'broken JSON, at its line',
    {
      'business.json': BUSINESS.replace('cleaning",', 'cleaning"'),
      'vocabulary/problems.json': '[\n  { "id": "leak", "label": "Leak" },\n]\n',
      'vocabulary/lexicon.json': '{\n  "version": "1",\n  "words": {}',
    },
    [
      /^business\.json:4: broken JSON: ./,
      /^vocabulary\/lexicon\.json:3: broken JSON: ./,
      /^vocabulary\/problems\.json:3: broken JSON: ./,
    ],
  ],
  [
    'a service area that no vocabulary has, at its own line',
    { 'business.json': BUSINESS.replace('javascript:alert(1)', 'https://ok.example/') },
    ['business.json:6: service_areas.1: no service area has this id (was "atlantis")'],
  ],
  [
    'unknown, missing and bad fields of the business',
    { 'business.json': '{\n  "name": "A",\n  "phone": "207 555",\n  "motto": "Dry feet"\n}\n' },
    [
      'business.json:1: category: is missing',
      'business.json:3: phone: must be E.164, e.g. +12075550142 (was "207 555")',
      'business.json:4: motto: is not a known field',
    ],
  ],
  ['a missing business.json', { 'business.json': null }, ['business.json: is missing']],
  [
    'invisible characters in Markdown, at their line',
    { 'summary.md': 'Fine ❤️.\r\n\r\nHid\u200bden.\r\n' },
    ['summary.md:3: has the invisible character U+200B: delete it'],
  ],
  [
    'a tombstone of a review that is still there',
    {
      'reviews/2026.jsonl': jsonl(record({ id: ulidOf(1) })),
      'withdrawn.jsonl': jsonl(TOMBSTONE, { ...TOMBSTONE, text: 'Swift.' }),
    },
    [
      `withdrawn.jsonl:1: id: is also that of a review: delete one of the two (was "${ulidOf(1)}")`,
      'withdrawn.jsonl:2: text: is not a known field',
    ],
  ],
  [
    'a file in the place of a folder',
    { reviews: '', annotations: '', faq: '' },
    [
      'annotations: cannot be read: ENOTDIR',
      'faq: cannot be read: ENOTDIR',
      'reviews: cannot be read: ENOTDIR',
    ],
  ],
  [
    'a file among the reviews that would be passed over',
    { 'reviews/2025.json': '[]', 'reviews/.keep': '' },
    ['reviews/2025.json: is not a .jsonl file, so its reviews would be lost'],
  ],
  [
    'the name of a question that cannot be an anchor',
    { 'faq/price list.md': QUESTION, 'faq/main.md': QUESTION, 'faq/größe-2.md': QUESTION },
    [
      'faq/main.md:1: name: is an anchor that every page has: call the file main-question.md (was "main")',
      'faq/price list.md:1: name: must be an anchor, without spaces or quotation marks: call the file price-list.md (was "price list")',
    ],
  ],
  [
    'broken YAML, at its line',
    { 'faq/late.md': '---\nquestion: "Late?\nevidence: {}\n---\nNo.\n' },
    [/^faq\/late\.md:[234]: broken YAML: ./],
  ],
  [
    'evidence that no vocabulary has, at its line',
    { 'faq/late.md': EVIDENCE, 'faq/notes.txt': 'anything' },
    [
      `faq/late.md:4: evidence.aspects.1: ${UNKNOWN} (was "karma")`,
      `faq/late.md:6: evidence.services.0: ${UNKNOWN} (was "rocketry")`,
      `faq/late.md:9: evidence.problems.1: ${UNKNOWN} (was "ghosts")`,
    ],
  ],
  [
    'an annotation of an unknown review',
    annotated({ review_id: ulidOf(99) }),
    [`annotations/people.jsonl:1: review_id: no review has this id (was "${ulidOf(99)}")`],
  ],
  [
    'ids in an annotation that no vocabulary has',
    annotated({ technicians: ['nobody'], aspects: [{ ...LABEL, id: 'karma' }] }),
    [
      `annotations/people.jsonl:1: aspects.0: ${UNKNOWN} (was "karma")`,
      `annotations/people.jsonl:1: technicians.0: ${UNKNOWN} (was "nobody")`,
    ],
  ],
  [
    'an entry that an annotation names twice: a review would count twice',
    annotated({ aspects: [LABEL, LABEL], problems: ['late', 'late'] }),
    [/^annotations.*:1: aspects: names one twice/, /^annotations.*:1: problems: names one twice/],
  ],
];

for (const [behavior, changes, issues] of ISSUES) {
  test(`refuses ${behavior}`, async (context) => {
    const all = await issuesOf(context, changes);
    const found = all.map((issue) => issue.replace(/^content\//, '')).sort();
    assert.equal(found.length, issues.length, found.join('\n'));
    for (const [at, issue] of issues.entries()) {
      if (typeof issue === 'string') assert.equal(found[at], issue);
      else assert.match(found[at]!, issue);
    }
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
  const folder = await contentFolder(context, {
    'business.json': BUSINESS,
    'vocabulary/problems.json': '[',
    'reviews/2025.jsonl': jsonl(record({ rating: 9 })),
    'reviews/2026.jsonl': jsonl(record({ id: ulidOf(2) }), { id: 3 }),
    'faq/late.md': 'No head.',
    'summary.md': Buffer.from([0xff]),
  });
  await assert.rejects(readContent(folder), (error) => {
    assert.ok(error instanceof ContentError);
    const files = new Set(error.issues.map(({ file }) => file.replace('content/', '')));
    assert.deepEqual([...files].sort(), [
      'business.json',
      'faq/late.md',
      'reviews/2025.jsonl',
      'reviews/2026.jsonl',
      'summary.md',
      'vocabulary/problems.json',
    ]);
    const [title, ...lines] = error.message.split('\n');
    assert.equal(title, `content/ has ${error.issues.length} issues:`);
    assert.equal(lines.length, error.issues.length);
    return true;
  });
});
