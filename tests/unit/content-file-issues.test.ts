import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentError } from '../../src/content/issue.ts';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';
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

test('accepts the valid folder', async (context) => {
  const content = await readContent(await contentFolder(context, {}));
  assert.equal(content.reviews.length, 2);
  assert.equal(content.faq[0]!.id, 'prices');
});

test('names the line of broken JSON in a file of many lines', async (context) => {
  const issues = await issuesOf(context, {
    'business.json': BUSINESS.replace('cleaning",', 'cleaning"'),
    'vocabulary/problems.json': '[\n  { "id": "leak", "label": "Leak" },\n]\n',
    'vocabulary/lexicon.json': '{\n  "version": "1",\n  "words": {}',
  });
  assert.deepEqual(issues.map((issue) => /^\S+ broken JSON(?=: .)/.exec(issue)?.[0]).sort(), [
    'content/business.json:4: broken JSON',
    'content/vocabulary/lexicon.json:3: broken JSON',
    'content/vocabulary/problems.json:3: broken JSON',
  ]);
});

test('refuses a service area that no vocabulary has, at its own line', async (context) => {
  const business = BUSINESS.replace('javascript:alert(1)', 'https://ok.example/');
  assert.deepEqual(await issuesOf(context, { 'business.json': business }), [
    'content/business.json:6: service_areas.1: no service area has this id (was "atlantis")',
  ]);
});

test('refuses a link of the business that is not http(s), at its own line', async (context) => {
  const business = BUSINESS.replace('atlantis', 'alder-bay');
  assert.deepEqual(await issuesOf(context, { 'business.json': business }), [
    'content/business.json:9: same_as.0: must be an absolute http(s) link (was "javascript:alert(1)")',
  ]);
});

test('accepts an address without a region', async (context) => {
  const address = { street: 'Lange Gasse 3', city: 'Ulm', postal_code: '89073', country: 'DE' };
  const business = JSON.stringify({ name: 'A', category: 'b', address });
  const folder = await contentFolder(context, { 'business.json': business });
  assert.equal((await readContent(folder)).business.address!.region, null);
});

test('refuses invisible characters in Markdown, at their line', async (context) => {
  const issues = await issuesOf(context, { 'summary.md': 'Fine ❤️.\r\n\r\nHid\u200bden.\r\n' });
  assert.deepEqual(issues, ['content/summary.md:3: has the invisible character U+200B: delete it']);
});

test('refuses a tombstone of a review that is still there', async (context) => {
  const tombstone = {
    id: ulidOf(1),
    date: '2026-03-01',
    source: 'google',
    withdrawn_at: '2026-04-01T00:00:00Z',
    reason: 'no longer in the full export',
  };
  const issues = await issuesOf(context, {
    'reviews/2026.jsonl': jsonl(record({ id: ulidOf(1) })),
    'withdrawn.jsonl': jsonl(tombstone, { ...tombstone, text: 'Swift.' }),
  });
  assert.deepEqual(issues, [
    'content/withdrawn.jsonl:2: text: is not a known field',
    `content/withdrawn.jsonl:1: id: is also that of a review: delete one of the two (was "${ulidOf(1)}")`,
  ]);
});

test('refuses unknown, missing and bad fields of the business', async (context) => {
  const business = '{\n  "name": "A",\n  "phone": "207 555",\n  "motto": "Dry feet"\n}\n';
  assert.deepEqual((await issuesOf(context, { 'business.json': business })).sort(), [
    'content/business.json:1: category: is missing',
    'content/business.json:3: phone: must be E.164, e.g. +12075550142 (was "207 555")',
    'content/business.json:4: motto: is not a known field',
  ]);
});

test('refuses an unknown aspect of a topic', async (context) => {
  const topics = `[
  {
    "id": "estimates",
    "label": "Estimates",
    "terms": ["estimate"],
    "aspect_ids": ["pricing", "karma"]
  }
]`;
  assert.deepEqual(await issuesOf(context, { 'vocabulary/topics.json': topics }), [
    'content/vocabulary/topics.json:6: 0.aspect_ids.1: no aspect has this id (was "karma")',
  ]);
});

test('refuses an id that a vocabulary uses twice', async (context) => {
  const services =
    '[\n{"id":"drain-cleaning","label":"A"},\n{"id":"drain-cleaning","label":"B"}\n]';
  assert.deepEqual(await issuesOf(context, { 'vocabulary/services.json': services }), [
    'content/vocabulary/services.json:3: 1.id: is used twice (was "drain-cleaning")',
  ]);
});

test('needs business.json and no other file', async (context) => {
  assert.deepEqual(await issuesOf(context, { 'business.json': null }), [
    'content/business.json: is missing',
  ]);
  const business = JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' });
  const others = ['reviews', 'vocabulary', 'faq', 'annotations', 'summary.md'];
  const changes = Object.fromEntries(others.map((name) => [name, null]));
  const folder = await contentFolder(context, { ...changes, 'business.json': business });
  const { reviews, vocabulary, faq, summary } = await readContent(folder);
  assert.deepEqual([reviews, vocabulary.services, summary], [[], [], null]);
  assert.ok(faq.every(({ answer }) => answer === null));
});

test('refuses a file in the place of a folder', async (context) => {
  assert.deepEqual(await issuesOf(context, { reviews: '', annotations: '', faq: '' }), [
    'content/reviews: cannot be read: ENOTDIR',
    'content/annotations: cannot be read: ENOTDIR',
    'content/faq: cannot be read: ENOTDIR',
  ]);
});

test('refuses a file among the reviews that would be passed over', async (context) => {
  assert.deepEqual(await issuesOf(context, { 'reviews/2025.json': '[]', 'reviews/.keep': '' }), [
    'content/reviews/2025.json: is not a .jsonl file, so its reviews would be lost',
  ]);
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

test('refuses the name of a question that cannot be an anchor, and says what to call it', async (context) => {
  const question =
    '---\nquestion: What does it cost?\nevidence: { aspects: [pricing] }\n---\nLittle.\n';
  assert.deepEqual(
    await issuesOf(context, {
      'faq/price list.md': question,
      'faq/main.md': question,
      'faq/größe-2.md': question,
    }),
    [
      'content/faq/main.md:1: name: is an anchor that every page has: call the file main-question.md (was "main")',
      'content/faq/price list.md:1: name: must be an anchor, without spaces or quotation marks: call the file price-list.md (was "price list")',
    ],
  );
});
