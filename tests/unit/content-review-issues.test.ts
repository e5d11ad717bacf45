import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertIssues, issuesOf, type Changes } from '../support/content-folder.ts';
import { documents } from '../support/documents.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const FILE = 'reviews/2026.jsonl';
const reviewed = (fields: Record<string, unknown>): Changes => ({
  [FILE]: jsonl(record(), record({ id: ulidOf(2), ...fields })),
});

/** Fields of a review, and the beginning of every issue that they are. */
const ISSUES: [fields: Record<string, unknown>, ...issues: string[]][] = [
  [{ rating: 9 }, 'rating: must be a whole number from 1 to 5 (was 9)'],
  [{ date: '2026-02-30' }, 'date: must be a calendar day'],
  [{ date: '0206-03-01' }, 'date: is before 1995'],
  [{ text: '' }, 'text: must not be empty'],
  [{ stars: 5 }, 'stars: is not a known field'],
  [{ text: 'Nice \u202egnihton' }, 'text: has the invisible character U+202E at character 6'],
  [{ '\u001b[2J\u009b31m': 1 }, '\\u{1B}[2J\\u{9B}31m: is not a known field'],
  [{ author: undefined }, 'author: is missing'],
  [{ owner_reply: { text: 'Hi.', date: '2026-02-28' } }, 'owner_reply.date: is before the review'],
  [{ source_url: 'javascript:alert(1)' }, 'source_url: must be an absolute http(s) link'],
  [{ text: 'Nice \ud83d' }, 'text: has half of a surrogate pair (was "Nice \\ud83d")'],
  [{ text: 'x'.repeat(20_001) }, 'text: must be at most 20,000 characters (was "xxx'],
  [{ title: `e${'\u0301'.repeat(31)}` }, 'title: has over 30 combining marks in a row'],
  [
    { text: 'Beds\n\nNoise', criticism_at: 5 },
    'criticism_at: must be 0, the length of the text, or where a paragraph of it begins',
  ],
  [{ text: 'Beds', criticism_at: 5 }, 'criticism_at: must be 0, the length of the text'],
  [{ text: null, criticism_at: 0 }, 'criticism_at: must be 0, the length of the text'],
  [{ criticism_at: -1 }, 'criticism_at: '],
  [
    { rating: 5, score: { value: 8.4, best: 10 } },
    'rating: is not 8.4 of 10 in stars (4): correct one of the two (was 5)',
  ],
  [{ score: { value: 11, best: 10 } }, 'score: must have a value of at most best'],
  [
    { rating: 6, date: 'today' },
    'date: must be a calendar day',
    'rating: must be a whole number from 1 to 5',
  ],
];

for (const [fields, ...issues] of ISSUES) {
  test(`names file, line and field of each issue: ${issues.join(', ')}`, async (context) => {
    const lines = issues.map((issue) => `${FILE}:2: ${issue}`);
    await assertIssues(context, reviewed(fields), lines);
  });
}

test('the issue that the README shows is one', () => {
  const { text } = documents.find(({ path }) => path === 'README.md')!;
  const shown = /^content\/reviews\/2026\.jsonl:17: (.*)$/m.exec(text)?.[1];
  assert.ok(ISSUES.some(([, ...issues]) => issues.includes(shown!)));
});

const TEXT = 'Beds\n\nNoise';
const REPLY = { text: 'Thanks.', date: '2026-03-01' };
const EARLY = { ...REPLY, date: '2026-02-28' };
const ACCEPTED: [what: string, fields: Record<string, unknown>][] = [
  ['criticism from the beginning of a text', { text: TEXT, criticism_at: 0 }],
  ['criticism from a paragraph on', { text: TEXT, criticism_at: 6 }],
  ['a text without criticism', { text: TEXT, criticism_at: TEXT.length }],
  ['the score that stars are rounded from', { rating: 5, score: { value: 9, best: 10 } }],
  ['a text of 20,000 characters', { text: 'x'.repeat(20_000) }],
  ['a reply on the day of the review', { date: '2026-03-01', owner_reply: REPLY }],
  ['an earlier one of an edit', { owner_reply: EARLY, updated_at: '2026-03-01T09:00:00Z' }],
];
for (const [what, fields] of ACCEPTED) {
  test(`accepts ${what}`, async (context) => {
    assert.deepEqual(await issuesOf(context, reviewed(fields)), []);
  });
}

test('refuses a review dated after today, but for one day ahead of the clock', async (context) => {
  const dates = ['2026-03-02', '2026-03-03', '2099-01-01'];
  const records = dates.map((date, at) => record({ id: ulidOf(at), date }));
  const changes = { [FILE]: jsonl(...records) };
  assert.deepEqual(await issuesOf(context, changes, { today: '2026-03-01' }), [
    `content/${FILE}:2: date: is after today (2026-03-01) (was "2026-03-03")`,
    `content/${FILE}:3: date: is after today (2026-03-01) (was "2099-01-01")`,
  ]);
  assert.deepEqual(await issuesOf(context, changes), []);
});

test('accepts links of 2,048 characters, percent-encoded', async (context) => {
  const start = 'https://g.example/';
  const room = 2048 - start.length;
  const issuesOfLink = (link: string) =>
    issuesOf(context, { [FILE]: jsonl(record({ source_url: link, author_avatar_url: link })) });
  const fitting = ['x'.repeat(room), '%E5'.repeat(room / 3), '家'.repeat(room / 9)];
  for (const text of fitting) assert.deepEqual(await issuesOfLink(start + text), []);
  const reason = 'must be at most 2,048 characters, percent-encoded (was "https://g.example/';
  for (const text of [...fitting.map((each) => `${each}xxxxxxxxx`), '\\'.repeat(room / 2)]) {
    const [avatar, source, ...others] = await issuesOfLink(start + text);
    assert.ok(avatar!.startsWith(`content/${FILE}:1: author_avatar_url: ${reason}`), avatar);
    assert.ok(source!.startsWith(`content/${FILE}:1: source_url: ${reason}`), source);
    assert.deepEqual(others, []);
  }
});

test('lists every issue of a large dataset in which each line is wrong', async (context) => {
  const issues = await issuesOf(context, { [FILE]: '{}\n'.repeat(30_000) });
  const perLine = ['author', 'date', 'id', 'rating', 'source', 'verified'];
  assert.equal(issues.length, 30_000 * perLine.length);
  assert.match(issues.at(-1)!, /^content\/reviews\/2026\.jsonl:30000: /);
});
