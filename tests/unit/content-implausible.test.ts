import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf, type Changes } from '../support/content-folder.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const REVIEWS = 'reviews/2026.jsonl';
const business = (fields: object) =>
  JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning', ...fields });
const faq = (head: string) => `---\n${head}\n---\n\nThey do.\n`;

/** YAML whose aliases stand for ten aliases each. */
const BOMB = [...'bcdefgh'].map((letter, index) => {
  const before = 'abcdefgh'[index];
  return `${letter}: &${letter} [${Array(10).fill(`*${before}`).join(',')}]`;
});
const TWINS = '[{"id":"ada-lind","name":"Ada Lind"},{"id":"ada-2","name":"ada  LIND"}]';
const TOPICS = JSON.stringify([{ id: 'a', label: 'A', terms: ['a'], aspect_ids: ['none'] }]);
const LATE = business({ hours: [{ day: 'monday', opens: '17:30', closes: '07:30' }] });
const CROWDED = Array.from({ length: 510 }, (_, at) =>
  jsonl(record({ id: ulidOf(at), attributes: { Order: `${at}` } })),
).join('');
const DEEP = '['.repeat(20_000) + ']'.repeat(20_000);

const IMPLAUSIBLE: [path: string, content: string, issue: RegExp][] = [
  [REVIEWS, jsonl(record({ date: '0206-03-01' })), /jsonl:1: date: is before 1995/],
  [REVIEWS, CROWDED, /jsonl:501: attributes\.Order: is one more than the 500 .* few reviews share/],
  [REVIEWS, jsonl(record()).replace('"id"', '"rating":1,"id"'), /:1: rating: is there twice/],
  ['vocabulary/technicians.json', TWINS, /json:\d+: 1\.name: is also a name of ada-lind/],
  ['business.json', LATE, /:1: hours\.0\.closes: is before it opens/],
  ['business.json', business({ time_zone: 'America/Newyork' }), /:1: time_zone: is no IANA/],
  ['summary.md', 'Good.\n\nOn time in {{aspects.x.y z percent.\n', /md:3: has a placeholder/],
  ['business.json', DEEP, /business\.json:1: must be an object \(was …\)/],
  ['faq/deep.md', faq(`question: ${DEEP}`), /faq\/deep\.md:\d+: /],
  ['faq/bomb.md', faq(['a: &a [x,x]', ...BOMB].join('\n')), /bomb\.md:1: cannot be read: .*alias/i],
];
test('a name of two people hides no issue of another list', async (context) => {
  const lists = { 'vocabulary/technicians.json': TWINS, 'vocabulary/topics.json': TOPICS };
  assert.match((await issuesOf(context, lists)).join('\n'), /topics.json.*no aspect has this id/);
});

for (const [path, content, issue] of IMPLAUSIBLE) {
  test(`refuses what is implausible: ${path}${issue.source}`, async (context) => {
    const issues = await issuesOf(context, { [path]: content });
    const isNamed = issues.some((line) => issue.test(line));
    assert.ok(isNamed, issues.join('\n').slice(0, 2000) || 'no issue');
  });
}

test('refuses what is no file, and does not wait for it', async (context) => {
  const folder = await contentFolder(context, { 'summary.md': null });
  execFileSync('mkfifo', [join(folder, 'summary.md')]);
  await assert.rejects(readContent(folder), /summary\.md: is not a file/);
});

test('accepts hours past midnight, two shifts a day, and the same key in two objects', async (context) => {
  const hours = [
    { day: 'friday', opens: '11:00', closes: '14:00' },
    { day: 'friday', opens: '17:00', closes: '02:00' },
  ];
  const changes = { 'business.json': business({ hours, time_zone: 'Europe/Berlin' }) };
  assert.deepEqual(await issuesOf(context, changes), []);
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
