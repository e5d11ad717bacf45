import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { verify } from '../../src/owner/commands/verify.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { JournalDocument, MonthChanges } from '../../src/schema/journal.ts';
import { sampleEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';

const client = await sampleEdition();

test('every number of an edition can be derived again from its words', async () => {
  const lines: string[] = [];
  assert.equal(await verify([client], (line) => void lines.push(line)), 0);
  assert.match(
    lines.join('\n'),
    /^every review was read again.*\n374 changes lead to the 355 reviews; the head of the journal is 374:[0-9a-f]{64}\n/,
  );
  assert.ok(
    lines.some((line) => /^355 of \d+ known reviews are published; left out: \d/.test(line)),
  );
  assert.ok(lines.includes("not the program's own: topics: local-businesses is new"));
});

test('a document of another kind or version is refused in one line', async (context) => {
  const folder = await changed(context, 'reviews.json', (document: Record<string, unknown>) => {
    document.reviews = { first: null };
    delete document.edition;
  });
  await assert.rejects(
    async () => verify([folder], () => {}),
    ({ message }: Error) =>
      /reviews\.json is not of the kind and version.*more issues$/.test(message) &&
      !message.includes('\n'),
  );
});

const MONTH = 'changes/2025-09.json';
const CHECKED = [
  'reviews.json',
  'journal.json',
  'insights.json',
  'insights-inputs.json',
  'review-labels.json',
];

async function read<T>(path: string, folder = client): Promise<T> {
  return JSON.parse(await readFile(join(folder, path), 'utf8')) as T;
}

/** A copy of the documents that are checked, with one of them changed. */
async function changed<T>(
  context: TestContext,
  path: string,
  change: (document: T) => unknown,
): Promise<string> {
  const folder = await temporaryFolder(context);
  const { months } = await read<JournalDocument>('journal.json');
  for (const file of [...CHECKED, ...months]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(client, file), join(folder, file));
  }
  const document = await read<T>(path);
  change(document);
  await writeFile(join(folder, path), JSON.stringify(document));
  return folder;
}

async function journalOf(folder: string, ...args: string[]): Promise<[number, string]> {
  const lines: string[] = [];
  const status = await verify([folder, ...args], (line) => void lines.push(line));
  return [status as number, lines.join('\n')];
}

test('the journal of an edition is checked against a head that was saved', async () => {
  const { seq, hash } = await read<JournalDocument>('journal.json');
  assert.equal((await journalOf(client))[0], 0);
  assert.equal((await journalOf(client, '--journal-head', `${seq}:${hash}`))[0], 0);
  assert.equal((await journalOf(client, '--journal-head', join(client, 'journal.json')))[0], 0);
  const { changes } = await read<MonthChanges>(MONTH);
  const earlier = `${changes[0]!.seq - 1}:${changes[0]!.previous}`;
  assert.equal((await journalOf(client, '--journal-head', earlier))[0], 0);
  assert.deepEqual(await journalOf(client, '--journal-head', `${seq + 1}:${hash}`), [
    1,
    `changes were removed: ${seq + 1} was the head, now ${seq} is\n1 difference`,
  ]);
  const [status, lines] = await journalOf(client, '--journal-head', `${seq - 1}:${hash}`);
  assert.equal(status, 1);
  assert.match(lines, /^history was rewritten: change 373 had the hash /);
  await assert.rejects(journalOf(client, '--journal-head', 'no such file'), /no such file/);
});

test('a second run says what changed since the head that the first one kept', async (context) => {
  const file = join(await temporaryFolder(context), 'head.json');
  const { seq, hash } = await read<JournalDocument>('journal.json');
  const [, first] = await journalOf(client, '--save', file);
  assert.match(first, /kept the head of the journal in .*head\.json$/);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { site: client, seq, hash });
  assert.match((await journalOf(client, '--save', file))[1], /^nothing changed since number 374$/m);

  const { changes } = await read<MonthChanges>(MONTH);
  const { seq: newest, previous } = changes[0]!;
  await writeFile(file, JSON.stringify({ site: client, seq: newest - 1, hash: previous }));
  const [status, lines] = await journalOf(client, '--save', file);
  assert.equal(status, 0);
  assert.match(
    lines,
    new RegExp(`^since number ${newest - 1}: \\d+ added.*, of \\d+ reviews$`, 'm'),
  );
  assert.equal(JSON.parse(await readFile(file, 'utf8')).seq, seq);
});

test('a head that does not fit stays as it is, and so does any other file', async (context) => {
  const file = join(await temporaryFolder(context), 'head.json');
  const { seq } = await read<JournalDocument>('journal.json');
  const rewritten = JSON.stringify({ site: client, seq, hash: '0'.repeat(64) });
  await writeFile(file, rewritten);
  const [status, lines] = await journalOf(client, '--save', file);
  assert.equal(status, 1);
  assert.match(lines, /^history was rewritten: change 374 /);
  // Another head that fits does not excuse it.
  const journal = join(client, 'journal.json');
  assert.equal((await journalOf(client, '--save', file, '--journal-head', journal))[0], 1);
  assert.equal(await readFile(file, 'utf8'), rewritten);

  const refused = (content: string, reason: RegExp) =>
    writeFile(file, content).then(() =>
      assert.rejects(journalOf(client, '--save', file), { message: reason }),
    );
  await refused('{"name":"mine"}', /head\.json is not the head of a journal that was saved$/);
  await refused('', /is not the head of a journal/);
  await refused(
    JSON.stringify({ site: 'https://b.example', seq: 0, hash: null }),
    /has the head of https:\/\/b\.example, not of /,
  );
});

test('a journal that was shortened, rewritten or does not fit its reviews is named', async (context) => {
  const cases: [string, (document: never) => unknown, RegExp][] = [
    [
      MONTH,
      ({ changes }: MonthChanges) => changes.splice(1, 1),
      /^change \d+: seq: entry \d+ is missing/,
    ],
    [
      MONTH,
      ({ changes }: MonthChanges) => (changes[1]!.at = changes[0]!.at),
      /^change \d+: previous: is not the hash/,
    ],
    ['journal.json', (one: JournalDocument) => one.seq--, /^journal\.json: says 373:/],
    [
      'journal.json',
      (one: JournalDocument) => one.months.shift(),
      /^journal\.json: says 374:\w+ of 374, its changes end at 371:/,
    ],
    [
      'reviews.json',
      ({ reviews }: ReviewsDataset) => (reviews[5]!.rating = 1),
      /^reviews\.\w{26}: differs from its last change\n/,
    ],
    [
      'reviews.json',
      ({ reviews }: ReviewsDataset) => reviews.pop(),
      /^reviews\.\w{26}: is missing, and no change says/,
    ],
    [
      'reviews.json',
      ({ reviews }: ReviewsDataset) => (reviews[5]!.id = reviews[5]!.id.replace(/.$/, '0')),
      /no change tells of it\n/,
    ],
  ];
  for (const [path, change, message] of cases) {
    const [status, lines] = await journalOf(await changed(context, path, change));
    assert.equal(status, 1);
    assert.match(lines, message);
  }
});

test('a first deployment continues nothing: no site, another site, or nobody who answers', async (context) => {
  const said = async (status?: number, body = '') => {
    const port = await freePort();
    const server = createServer((_, response) => response.writeHead(status!).end(body));
    if (status !== undefined) await once(server.listen(port), 'listening');
    context.after(() => server.close());
    const lines: string[] = [];
    const site = `http://127.0.0.1:${port}`;
    assert.equal(await verify(['--continues', site, client], (line) => void lines.push(line)), 0);
    return lines[0]!;
  };
  assert.match(await said(404), /^nothing of ours is deployed at http.* yet: it has no journal$/);
  assert.match(await said(200, '<h1>Parked</h1>'), /yet: it is another site$/);
  assert.match(await said(502), /yet: .*answered 502$/);
  assert.match(await said(), /yet: .*ECONNREFUSED/);
});
