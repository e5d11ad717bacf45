import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { after, test } from 'node:test';
import { request } from 'undici';
import { doctor } from '../../src/owner/commands/doctor.ts';
import { changeManifest, editionFolder } from '../support/edition-folder.ts';
import { runHere } from '../support/run-here.ts';
import { serve } from '../support/serve.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { appOf, serveApp } from '../support/targets.ts';

interface Passed {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Changes of a front to the name that it asks for, and to answers. */
interface Front {
  host?: string;
  answer?: (path: string, answer: Passed) => Partial<Passed>;
}

const { source, dataDir } = await editionFolder({ after });
let front: Front = {};
const site = await serve({ after }, async (incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const { host = headers.host } = front;
  const response = await request(new URL(path!, sidecar.url), {
    method: method as 'GET',
    headers: { ...(headers as Record<string, string>), host: host!, connection: 'keep-alive' },
    body: method === 'GET' ? null : incoming,
  });
  const body = Buffer.from(await response.body.arrayBuffer());
  const own = { status: response.statusCode, headers: { ...response.headers }, body };
  const passed = { ...own, ...front.answer?.(path!, own) };
  const stated = Object.entries(passed.headers).filter(([, value]) => value !== undefined);
  const { 'content-length': _, ...others } = Object.fromEntries(stated);
  outgoing.writeHead(passed.status, others).end(passed.body);
});
await changeManifest(source, (manifest) => void (manifest.base_url = site));
const env = { EDITION: source, DATA_DIR: dataDir, RATE_LIMIT: '0' };
const sidecar = await startSidecar(env, { after });

/** Asks the site behind a front. */
async function examine(behind: Front, ...args: string[]) {
  front = behind;
  const { error, output, status } = await runHere(doctor, '', [site, ...args]);
  assert.ifError(error);
  return { status, output };
}

test('a site behind a front that changes nothing is sound, and is the edition that was built', async () => {
  const { output, status } = await examine({}, '--edition', source);
  assert.equal(status, 0, output);
  for (const each of ['edition', 'visitors', 'files', 'readers', 'search', 'assistants', 'hub']) {
    assert.match(output, new RegExp(`^ok {2}${each} `, 'm'));
  }
});

type Answer = NonNullable<Front['answer']>;

const html = { 'content-type': 'text/html' };
/** Fronts whose answers differ at the paths of a pattern. */
const instead = (pattern: RegExp, status: number, text: string): Answer => {
  const body = Buffer.from(text);
  return (path) => (pattern.test(path) ? { status, headers: html, body } : {});
};
const missing = (pattern: RegExp): Answer => instead(pattern, 404, 'nothing');
const without =
  (name: string): Answer =>
  (_, { headers }) => ({ headers: { ...headers, [name]: undefined } });
const typed =
  (ending: string): Answer =>
  (path, { headers }) =>
    path.endsWith(ending) ? { headers: { ...headers, 'content-type': 'text/plain' } } : {};
/** Fronts that change the answers with a status. */
const changing =
  (from: number, change: (answer: Passed) => Partial<Passed>): Answer =>
  (_, answer) =>
    answer.status === from ? change(answer) : {};
const addsAds: Answer = (_, { body, headers }) =>
  String(headers['content-type']).startsWith('text/html')
    ? { body: Buffer.concat([body, Buffer.from('<script src="//ads.example"></script>')]) }
    : {};

const FRONTS: Record<string, [answer: Answer, issue: RegExp]> = {
  'leaves out files that begin with a dot': [
    missing(/\/\.well-known\//),
    /^\/\.well-known\/.*security\.txt: answers 404$/m,
  ],
  'answers every address with one page': [
    changing(404, () => ({ status: 200 })),
    /^\/reviews\/nothing\/ answers 200, where 404 is meant$/m,
  ],
  'has no search': [missing(/\/api\/reviews\/search/), /^\/api\/reviews\/search\S* answers 404/m],
  'puts its own page in the place of errors': [
    changing(400, () => ({ headers: html, body: Buffer.from('Oops') })),
    /search\?rating=9 is served as text\/html, not as application\/json$/m,
  ],
  'knows no XML': [typed('.xml'), /\/feed\.xml\b.* is served as text\/plain, not/m],
  'knows no styles': [typed('.css'), /\.css: is served as text\/plain, not as text\/css$/m],
  'answers with validators that it does not know': [
    changing(200, ({ headers }) => ({ headers: { ...headers, etag: '"x"' } })),
    /\/feed\.xml, .*: answers 200 to a reader that has it, where 304 is meant$/m,
  ],
  'keeps other sites out': [
    without('access-control-allow-origin'),
    /^\/api\/feed\.json, \/feed\.xml, \/reviews\.json: has no Access-Control-Allow-Origin/m,
  ],
  'loses the sessions of assistants': [without('mcp-session-id'), /^\/mcp loses Mcp-Session-Id$/m],
  'keeps programs out with a page for browsers': [
    instead(/^\/mcp$/, 403, 'Wait'),
    /^\/mcp answers 403: a page of something in front, such as a protection against bots/m,
  ],
  'changes pages': [
    addsAds,
    /^\/.* is not the file that edition\.json describes: something in front changes it$/m,
  ],
  'passes no forms': [missing(/websub/), /^\/api\/websub\/hub answers 404, where 400 is meant$/m],
};
for (const [what, [answer, issue]] of Object.entries(FRONTS)) {
  test(`a front that ${what} is named`, async () => {
    const { output, status } = await examine({ answer });
    assert.match(output, issue);
    assert.equal(status, 1);
  });
}

test('a front that passes another host name on is named', async () => {
  const { output } = await examine({ host: 'backend.internal' });
  const issue = /^\/mcp answers 403: the front does not pass the name of this host on \(Host\)$/m;
  assert.match(output, issue);
});

test('a front that takes the path of a site off is asked about', async () => {
  front = { answer: missing(/./) };
  const { error } = await runHere(doctor, '', [`${site}/our/reviews`]);
  assert.match(String(error), /edition\.json answered 404: does the front take the path off/);
});

test('an edition that leads elsewhere, or is not the newest, is named', async (context) => {
  await changeManifest(source, (manifest) => void (manifest.base_url = 'http://localhost:4321'));
  context.after(() => changeManifest(source, (manifest) => void (manifest.base_url = site)));
  const old = await examine({}, '--edition', source, '--wait', '0');
  assert.match(old.output, /serves edition \w+ after 0 s, not edition \w+/);
  const { output } = await runHere(doctor, '', [await serveApp(context, await appOf(source))]);
  assert.match(output, /^its links lead to http:\/\/localhost:4321: build with SITE_URL=http/m);
});

test('a site of files alone is asked for nothing that it does not promise', async (context) => {
  await changeManifest(source, ({ site }) => void (site!.files_only = true));
  context.after(() => changeManifest(source, ({ site }) => void delete site!.files_only));
  const { output } = await runHere(doctor, '', [await serveApp(context, await appOf(source))]);
  assert.doesNotMatch(output, /assistants|hub|sidecar|^NO {2}(?!edition)/m);
});
