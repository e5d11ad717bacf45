import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { request } from 'undici';
import { doctor } from '../../src/owner/commands/doctor.ts';
import { changeManifest, editionFolder } from '../support/edition-folder.ts';
import { runHere } from '../support/run-here.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { appOf, listenOnFreePort } from '../support/targets.ts';

interface Passed {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Changes of a front to requests and answers. */
interface Front {
  ask?: (
    path: string,
    headers: IncomingHttpHeaders,
  ) => { path: string; headers: IncomingHttpHeaders };
  answer?: (path: string, answer: Passed) => Partial<Passed>;
}

const { source, dataDir } = await editionFolder({ after });
let front: Front = {};
const proxy = createServer(async (incoming, outgoing) => {
  const asked = { path: incoming.url!, headers: { ...incoming.headers, connection: undefined } };
  const { path, headers } = front.ask?.(asked.path, asked.headers) ?? asked;
  const { method } = incoming;
  const response = await request(new URL(path, sidecar.url), {
    method: method as 'GET',
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value)) as never,
    body: method === 'GET' ? null : incoming,
  });
  const body = Buffer.from(await response.body.arrayBuffer());
  const own = { status: response.statusCode, headers: { ...response.headers }, body };
  const passed = { ...own, ...front.answer?.(path, own) };
  delete passed.headers['content-length'];
  outgoing.writeHead(passed.status, passed.headers).end(passed.body);
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
after(() => void proxy.close());
const site = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
await changeManifest(source, (manifest) => void (manifest.base_url = site));
const sidecar = await startSidecar({ EDITION: source, DATA_DIR: dataDir, RATE_LIMIT: '0' });
after(() => void sidecar.child.kill('SIGKILL'));

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

const isFile = (path: string) => /\.\w+$/.test(path);
const without =
  (name: string) =>
  (_: string, { headers }: Passed) => {
    const { [name]: _gone, ...others } = headers;
    return { headers: others };
  };
const typed =
  (ending: string, type: string) =>
  (path: string, { headers }: Passed) =>
    path.endsWith(ending) ? { headers: { ...headers, 'content-type': type } } : {};
const missing = (pattern: RegExp) => (path: string) =>
  pattern.test(path)
    ? { status: 404, headers: { 'content-type': 'text/html' }, body: Buffer.from('nothing') }
    : {};

const FRONTS: [what: string, front: Front, issue: RegExp][] = [
  [
    'leaves out files that begin with a dot',
    { answer: missing(/\/\.well-known\//) },
    /^\/\.well-known\/.*security\.txt: answers 404$/m,
  ],
  [
    'answers every address with one page',
    { answer: (_, { status }) => (status === 404 ? { status: 200 } : {}) },
    /^\/reviews\/nothing\/ answers 200, where 404 is meant$/m,
  ],
  [
    'has no search',
    { answer: missing(/\/api\/reviews\/search/) },
    /^\/api\/reviews\/search\S* answers 404/m,
  ],
  [
    'puts its own page in the place of errors',
    {
      answer: (_, { status }) =>
        status === 400
          ? { headers: { 'content-type': 'text/html' }, body: Buffer.from('Oops') }
          : {},
    },
    /search\?rating=9 is served as text\/html, not as application\/json$/m,
  ],
  [
    'passes another host name on',
    { ask: (path, headers) => ({ path, headers: { ...headers, host: 'backend.internal' } }) },
    /^\/mcp answers 403: the front does not pass the name of this host on \(Host\)$/m,
  ],
  [
    'knows no XML',
    { answer: typed('.xml', 'text/plain') },
    /\/feed\.xml\b.* is served as text\/plain, not/m,
  ],
  [
    'knows no styles',
    { answer: typed('.css', 'text/plain') },
    /\.css: is served as text\/plain, not as text\/css$/m,
  ],
  [
    'answers with validators that it does not know',
    {
      answer: (_, { headers, status }) =>
        status === 200 ? { headers: { ...headers, etag: '"x"' } } : {},
    },
    /\/feed\.xml, .*: answers 200 to a reader that has it, where 304 is meant$/m,
  ],
  [
    'keeps other sites out',
    { answer: without('access-control-allow-origin') },
    /^\/api\/feed\.json, \/feed\.xml, \/reviews\.json: has no Access-Control-Allow-Origin/m,
  ],
  [
    'loses the sessions of assistants',
    { answer: without('mcp-session-id') },
    /^\/mcp loses Mcp-Session-Id$/m,
  ],
  [
    'keeps programs out with a page for browsers',
    {
      answer: (path) =>
        path === '/mcp'
          ? { status: 403, headers: { 'content-type': 'text/html' }, body: Buffer.from('Wait') }
          : {},
    },
    /^\/mcp answers 403: a page of something in front, such as a protection against bots/m,
  ],
  [
    'changes pages',
    {
      answer: (path, { body, headers }) =>
        isFile(path) || !String(headers['content-type']).startsWith('text/html')
          ? {}
          : { body: Buffer.concat([body, Buffer.from('<script src="//ads.example"></script>')]) },
    },
    /^\/.* is not the file that edition\.json describes: something in front changes it$/m,
  ],
  [
    'passes no forms',
    { answer: missing(/websub/) },
    /^\/api\/websub\/hub answers 404, where 400 is meant$/m,
  ],
];
for (const [what, behind, issue] of FRONTS) {
  test(`a front that ${what} is named`, async () => {
    const { output, status } = await examine(behind);
    assert.match(output, issue);
    assert.equal(status, 1);
  });
}

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
  const elsewhere = await listenOnFreePort(await appOf(source));
  context.after(() => elsewhere.close());
  const { output } = await runHere(doctor, '', [elsewhere.url]);
  assert.match(output, /^its links lead to http:\/\/localhost:4321: build with SITE_URL=http/m);
});

test('a site of files alone is asked for nothing that it does not promise', async (context) => {
  await changeManifest(source, ({ site }) => void (site!.files_only = true));
  context.after(() => changeManifest(source, ({ site }) => void delete site!.files_only));
  const server = await listenOnFreePort(await appOf(source));
  context.after(() => server.close());
  const { output } = await runHere(doctor, '', [server.url]);
  assert.doesNotMatch(output, /assistants|hub|sidecar|^NO {2}(?!edition)/m);
});
