import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { verifyJournal } from '../../src/journal/verify.ts';
import { readPublished, type PublishedSite } from '../../src/owner/commands/published-site.ts';
import { verify } from '../../src/owner/commands/verify.ts';
import type { JournalHead } from '../../src/schema/journal.ts';
import { sampleEdition } from '../support/edition.ts';
import { publishText } from '../support/edition-folder.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/run.ts';
import { serve } from '../support/serve.ts';

const client = await sampleEdition();

/** The lines of a verdict, each without its first word. */
const VERDICT = [
  /^ok {2}reviews {4}355 of 373 known reviews are published, the newest of 2026-11-14, .*; left out: 3 withdrawn, 15 unverified$/,
  /^ok {2}insights {3}every review was read again: the insights are the same, with words of its own: .*topics: local-businesses is new$/,
  /^ok {2}documents {2}\d{3} feeds, embeds, listings and documents were derived again: all the same$/,
  /^ok {2}journal {4}374 changes lead to the 355 reviews; the head of the journal is 374:[0-9a-f]{64}$/,
  /^ok {2}files {6}\d{4} files are as edition\.json describes them, in every encoding$/,
  /^ok {2}signature {2}the edition is not signed$/,
];

test('everything that an edition publishes of its reviews can be derived again from them, also before a first deployment', async (context) => {
  const site = await serve(context, (_, response) => response.writeHead(404).end());
  const [status, [deployed, ...lines]] = await verified(client, '--continues', site);
  assert.equal(status, 0);
  assert.match(deployed!, /^nothing of ours is deployed at http.* yet: it has no journal$/);
  assert.equal(lines.length, VERDICT.length);
  for (const [at, line] of lines.entries()) assert.match(line, VERDICT[at]!);
});

test('a document of another kind or version is refused in one line', async (context) => {
  const folder = await copyOf(context);
  await changeText(folder, 'reviews.json', () => '{"reviews":{"first":null}}');
  const message = /^[^\n]*reviews\.json is not of the kind and version.*: schema_version: [^\n]*$/;
  await assert.rejects(verified(folder), { message });
});

async function copyOf(context: TestContext): Promise<string> {
  const folder = join(await temporaryFolder(context), 'copy');
  await run('cp', ['-al', client, folder]); // files are replaced, not written
  return folder;
}

/** Changes a file, and edition.json with it, as a liar would. */
async function changeText(folder: string, path: string, change: (text: string) => string) {
  const text = await readFile(join(folder, path), 'utf8');
  const other = change(text);
  assert.ok(other !== text, `${path} is as it was`);
  for (const end of ['.br', '.gz']) await rm(join(folder, path + end), { force: true });
  await publishText(folder, path, other);
}

async function verified(folder: string, ...args: string[]): Promise<[number, string[]]> {
  const lines: string[] = [];
  const status = await verify([folder, ...args], (line) => void lines.push(line));
  return [status as number, lines];
}

/** Each shows something better than it is in one file, and lists that file in edition.json. */
const LIES: [path: string, change: (text: string) => string][] = [
  ['badge.svg', (text) => text.replaceAll(/\b4\.\d\d\b/g, '4.99')],
  ['badge-dark.svg', (text) => text.replace(/[1-9]\d* left out/, '0 left out')],
  ['embed/index.html', (text) => text.replaceAll(/\b4\.\d\d\b/g, '4.99')],
  ['oembed.json', (text) => text.replace('embed', 'imbed')],
  ['summary.json', (text) => text.replace(/"1":\d+/, '"1":0')],
  ['history.json', (text) => text.replace('"rating_value":3', '"rating_value":5')],
  ['feed.xml', (text) => text.replace(/<entry .*?<\/entry>/s, '')],
  ['api/feed.json', (text) => text.replace('★☆☆☆☆', '★★★★★')],
  ['reviews.csv', (text) => text.split('\n').slice(0, -2).join('\n')],
  ['reviews.ndjson', (text) => text.split('\n').slice(1).join('\n')],
  ['insights-digest.json', (text) => text.replace(/"negative_count":\d+/, '"negative_count":0')],
  ['changes.json', (text) => text.replace('"added"', '"edited"')],
];

test('documents, feeds and embeds that show the reviews as better than they are are named, and a rewritten history', async (context) => {
  const folder = await copyOf(context);
  for (const [path, change] of LIES) await changeText(folder, path, change);
  const { journal } = await readPublished(client);
  const head = `${journal.seq - 1}:${journal.hash}`;
  const [status, lines] = await verified(folder, '--journal-head', head);
  assert.equal(status, 1);
  const names = LIES.map(([path]) => `/${path.replace(/index\.html$/, '')}: `);
  for (const start of [...names, 'history was rewritten: change 373 had the hash ']) {
    assert.ok(
      lines.some((line) => line.startsWith(start)),
      start,
    );
  }
  assert.equal(lines.length, VERDICT.length + LIES.length + 1);
});

test('the journal of an edition is checked against a head that was saved', async () => {
  const { changes, dataset, journal } = await readPublished(client);
  const { seq, hash } = journal;
  const issuesSince = (...saved: JournalHead[]) =>
    verifyJournal(journal, changes.toReversed(), dataset, saved);
  const { previous, seq: newest } = changes[200]!;
  assert.deepEqual(issuesSince({ seq, hash }, { seq: newest - 1, hash: previous }), []);
  assert.deepEqual(issuesSince({ seq: seq + 1, hash }), [
    `changes were removed: ${seq + 1} was the head, now ${seq} is`,
  ]);
  await assert.rejects(verified(client, '--journal-head', 'no such file'), /no such file/);
  await assert.rejects(
    verified('localhost:4321'),
    /is no folder, and an address begins with https/,
  );
});

test('a journal that was shortened, rewritten or does not fit its reviews is named', async () => {
  const published = await readPublished(client);
  const cases: [change: (copy: PublishedSite) => unknown, issue: RegExp][] = [
    [({ changes }) => changes.splice(5, 1), /^change \d+: seq: entry \d+ is missing/],
    [({ journal }) => journal.seq--, /^journal\.json: says 373:/],
    [({ dataset }) => (dataset.reviews[5]!.rating = 1), /^reviews\.\w{26}: differs from its last/],
    [({ dataset }) => dataset.reviews.pop(), /^reviews\.\w{26}: is missing, and no change says/],
    [
      ({ dataset: { reviews } }) => (reviews[5]!.id = reviews[5]!.id.replace(/.$/, '0')),
      /no change tells of it$/,
    ],
  ];
  for (const [change, issue] of cases) {
    const copy = structuredClone(published);
    change(copy);
    const { changes, dataset, journal } = copy;
    const issues = verifyJournal(journal, changes.toReversed(), dataset);
    assert.match(issues[0] ?? '', issue);
  }
});

test('a first deployment continues nothing: another site, or nobody who answers', async (context) => {
  // It sees these before it reads the edition, which takes longest.
  const said = async (site: string) => {
    const lines: string[] = [];
    const verifying = verify(['--continues', site, '/no-edition'], (line) => void lines.push(line));
    await assert.rejects(verifying, /no-edition/);
    return lines[0]!;
  };
  const answering = (status: number, body = '') =>
    serve(context, (_, response) => response.writeHead(status).end(body));
  assert.match(await said(await answering(200, '<h1>Parked</h1>')), /yet: it is another site$/);
  assert.match(await said(await answering(502)), /yet: .*answered 502$/);
  assert.match(await said(`http://127.0.0.1:${await freePort()}`), /yet: .*ECONNREFUSED/);
});
