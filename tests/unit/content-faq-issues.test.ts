import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesOf } from '../support/content-folder.ts';

const FILE = 'faq/late.md';

const ISSUES: [behavior: string, text: string, issues: RegExp[]][] = [
  [
    'a question without front matter',
    '# Late?\n\nNo.\n',
    [/^content\/faq\/late\.md:1: must begin with front matter between two lines of ---$/],
  ],
  [
    'broken YAML, at its line',
    '---\nquestion: "Late?\nevidence: {}\n---\nNo.\n',
    [/^content\/faq\/late\.md:[234]: broken YAML: ./],
  ],
  [
    'a head without a question',
    '---\nevidence: {}\n---\nNo.\n',
    [/^content\/faq\/late\.md:2: question: is missing$/],
  ],
  [
    'an unknown field, at its line',
    '---\nquestion: Late?\norder: 3\nevidence: {}\n---\nNo.\n',
    [/^content\/faq\/late\.md:3: order: is not a known field$/],
  ],
  [
    'an answer without words',
    '---\nquestion: Late?\nevidence: {}\n---\n\n',
    [/^content\/faq\/late\.md: has no text below the front matter$/],
  ],
];

for (const [behavior, text, issues] of ISSUES) {
  test(`refuses ${behavior}`, async (context) => {
    const found = await issuesOf(context, { [FILE]: text });
    assert.equal(found.length, issues.length, found.join('\n'));
    issues.forEach((issue, index) => assert.match(found[index]!, issue));
  });
}

test('refuses evidence that no vocabulary has, at its line', async (context) => {
  const text = `---
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
  assert.deepEqual(await issuesOf(context, { [FILE]: text }), [
    'content/faq/late.md:4: evidence.aspects.1: no entry of the vocabulary has this id (was "karma")',
    'content/faq/late.md:6: evidence.services.0: no entry of the vocabulary has this id (was "rocketry")',
    'content/faq/late.md:9: evidence.problems.1: no entry of the vocabulary has this id (was "ghosts")',
  ]);
});

test('passes over files in faq/ that are not Markdown', async (context) => {
  assert.deepEqual(await issuesOf(context, { 'faq/notes.txt': 'anything' }), []);
});
