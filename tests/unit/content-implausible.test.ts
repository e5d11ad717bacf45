import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf, type Changes } from '../support/content-folder.ts';
import { jsonl, record } from '../support/reviews.ts';

const REVIEWS = 'reviews/2026.jsonl';
const business = (fields: object) =>
  JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning', ...fields });
const faq = (head: string) => `---\n${head}\n---\n\nThey do.\n`;
const staff = (...people: { id: string; name: string; aliases?: string[] }[]) =>
  JSON.stringify(people.map((person) => ({ aliases: [], ...person })));

const IMPLAUSIBLE: [what: string, changes: Changes, issue: RegExp][] = [
  [
    'a review from before there were review platforms',
    { [REVIEWS]: jsonl(record({ date: '0206-03-01' })) },
    /2026\.jsonl:1: date: is before 1995 \(was "0206-03-01"\)/,
  ],
  [
    'a key that a line has twice',
    { [REVIEWS]: jsonl(record()).replace('"rating":', '"rating":1,"rating":') },
    /2026\.jsonl:1: rating: is there twice/,
  ],
  [
    'two members of staff with one name',
    {
      'vocabulary/technicians.json': staff(
        { id: 'ada-lind', name: 'Ada Lind' },
        { id: 'ada-lind-2', name: 'ada  LIND' },
      ),
    },
    /technicians\.json:\d+: 1\.name: is also a name of ada-lind: .*\(was "ada  LIND"\)/,
  ],
  [
    'hours that end before they begin',
    { 'business.json': business({ hours: [{ day: 'monday', opens: '17:30', closes: '07:30' }] }) },
    /business\.json:1: hours\.0\.closes: is before it opens \(was "07:30"\)/,
  ],
  [
    'a time zone that does not exist',
    { 'business.json': business({ time_zone: 'America/Newyork' }) },
    /business\.json:1: time_zone: is no IANA time zone/,
  ],
  [
    'a placeholder that does not end',
    { 'summary.md': 'Good.\n\nOn time in {{aspects.x.y z percent.\n' },
    /summary\.md:3: has a placeholder that is not closed: \{\{aspects/,
  ],
  [
    'the same, closed',
    { 'business.json': '['.repeat(20_000) + ']'.repeat(20_000) },
    /business\.json:1: must be an object \(was …\)/,
  ],
  [
    'the same in front matter',
    { 'faq/deep.md': faq(`question: ${'['.repeat(20_000)}`) },
    /faq\/deep\.md:\d+: /,
  ],
  [
    'a bomb of YAML aliases',
    {
      'faq/bomb.md': faq(
        ['a: &a [x,x,x,x,x,x,x,x,x,x]']
          .concat(
            [...'bcdefgh'].map((letter, index) => {
              const before = 'abcdefgh'[index];
              return `${letter}: &${letter} [${Array(10).fill(`*${before}`).join(',')}]`;
            }),
          )
          .join('\n'),
      ),
    },
    /faq\/bomb\.md:1: cannot be read: .*alias/i,
  ],
];
for (const [what, changes, issue] of IMPLAUSIBLE) {
  test(`refuses ${what}`, async (context) => {
    const issues = await issuesOf(context, changes);
    assert.ok(
      issues.some((line) => issue.test(line)),
      issues.join('\n').slice(0, 2000) || 'no issue',
    );
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

async function warningsOf(
  context: Parameters<typeof contentFolder>[0],
  changes: Changes,
): Promise<string[]> {
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
  [
    'faq/hours.md',
    faq('question: When?\nevidence: {}'),
    /^content\/faq\/hours\.md: evidence: names nothing, so no review supports the answer$/,
  ],
];
for (const [path, content, warning] of LOST) {
  test(`warns of ${path}`, async (context) => {
    const warnings = await warningsOf(context, { [path]: content });
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0]!, warning);
  });
}

test('has nothing to warn of in a dataset as documented', async (context) => {
  const changes = {
    'README.md': 'Ours.',
    '.github/workflows/publish.yml': '',
    'docs/notes.md': '',
    'imports.jsonl': '',
    'withdrawn.jsonl': '',
  };
  assert.deepEqual(await warningsOf(context, changes), []);
});
