import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { changesAsMarkdown, compareReviews } from '../../src/commands/change-report.ts';
import { VALID_CONTENT } from '../support/content-folder.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { dataset, jsonl, record, review, ulidOf } from '../support/reviews.ts';
import { run } from '../support/run.ts';

const MAIN = join(ROOT, 'src/commands/main.ts');
const kept = review({ id: ulidOf(1) });
const gone = review({ id: ulidOf(2), text: 'Never came.', rating: 1 });
const fresh = review({ id: ulidOf(3), text: 'Came at once.', rating: 4 });

test('reviews are added, edited or removed by their id', () => {
  const reworded = {
    ...kept,
    text: 'Swift.',
    rating: 4 as const,
    updated_at: '2026-04-01T00:00:00Z',
  };
  const changes = compareReviews(dataset([kept, gone]), dataset([fresh, reworded]));
  assert.deepEqual(changes, {
    added: [fresh],
    edited: [{ review: reworded, fields: ['rating', 'text'] }],
    removed: [gone],
  });
});

test('what follows from the site or the vocabulary is no edit', () => {
  const elsewhere = {
    ...kept,
    url: 'https://other.example/',
    mentions: { technicians: ['bob'], services: [] },
  };
  assert.deepEqual(compareReviews(dataset([kept]), dataset([elsewhere])).edited, []);
});

test('the comment counts, and has the rating before and after', () => {
  const text = changesAsMarkdown(dataset([kept, gone]), dataset([fresh, kept]));
  assert.match(text, /^1 added, 0 edited, 1 removed$/m);
  assert.match(text, /^\| rating \| 3 \| 4\.5 \|$/m);
  assert.match(text, /^\| reviews \| 2 \| 2 \|$/m);
  assert.match(
    text,
    /### Added\n\n.*\n.*\n\| 2026-03-01 \| 4 \| `Nadia Holt` \| `Came at once\.` \|/,
  );
  assert.match(
    text,
    /### Removed\n\n.*\n.*\n\| 2026-03-01 \| 1 \| `Nadia Holt` \| `Never came\.` \|/,
  );
});

test('what a customer wrote is no markup in the comment', () => {
  const hostile = review({
    id: ulidOf(4),
    author: '@everyone `x`',
    text: 'a | b\n\n# big <img src=x> `` [link](https://evil.example) @team',
  });
  const text = changesAsMarkdown(dataset([]), dataset([hostile]));
  const row = text.split('\n').find((line) => line.includes('everyone'))!;
  assert.match(row, /^\| [\d-]+ \| 5 \| `[^`]*` \| `[^`]*` \|$/);
  assert.equal(row.match(/(?<!\\)\|/g)!.length, 5);
});

test('many rows are cut, and said to be', () => {
  const many = Array.from({ length: 60 }, (_, at) => review({ id: ulidOf(at) }));
  const text = changesAsMarkdown(dataset([]), dataset(many));
  assert.equal(text.match(/^\| 2026/gm)!.length, 50);
  assert.match(text, /^and 10 more$/m);
});

test('the command compares a commit, a folder or a reviews.json with the content there is', async (context) => {
  const folder = await temporaryFolder(context);
  await cp(VALID_CONTENT, join(folder, 'content'), { recursive: true });
  const reviews = join(folder, 'content/reviews/2026.jsonl');
  const first = jsonl(record({ id: ulidOf(1) }));
  await writeFile(reviews, first);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  await cp(join(folder, 'content'), join(folder, 'before'), { recursive: true });
  await writeFile(
    join(folder, 'reviews.json'),
    JSON.stringify(dataset([review({ id: ulidOf(1) })])),
  );
  await writeFile(reviews, first + jsonl(record({ id: ulidOf(2), rating: 3 })));
  for (const before of ['HEAD', './before', 'reviews.json']) {
    const command = `cd "${folder}" && "${process.execPath}" "${MAIN}" changes ${before}`;
    const { stdout } = await run('bash', ['-c', command]);
    assert.match(stdout, /^1 added, 0 edited, 0 removed$/m, before);
    assert.match(stdout, /^\| rating \| 5 \| 4 \|$/m, before);
  }
});

test('a terminal obeys nothing of what customers wrote', async (context) => {
  const folder = await temporaryFolder(context);
  const [before, after] = ['before', 'after'].map((name) => join(folder, `${name}.json`));
  const hostile = {
    author: 'Eve\u001b[2J\u0007',
    text: '\u009b31m \u001b]0;owned\u001b\\ \u202eabc',
  };
  await writeFile(before!, JSON.stringify(dataset([])));
  await writeFile(after!, JSON.stringify(dataset([review(hostile)])));
  const { stdout } = await run(process.execPath, [MAIN, 'changes', before!, after!]);
  assert.match(stdout, /`Eve\\u\{1B\}\[2J\\u\{7\}` \| `\\u\{9B\}31m \\u\{1B\}\]0;owned/);
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  assert.doesNotMatch(stdout, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test('a name that is no commit is refused in one line', async () => {
  for (const name of ['no-such-commit', '--output=/tmp/x', '$(id)']) {
    await assert.rejects(
      run(process.execPath, [MAIN, 'changes', name]),
      /no-such-commit: |not the name of a commit/,
    );
  }
});
