import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Edition } from '../../sidecar/edition/edition.ts';
import { findRenderer } from '../../sidecar/http/health.ts';
import { recorder, sampleEdition, silent } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { collectGarbage } from '../support/garbage.ts';
import { openSampleFolder, sampleApp } from '../support/targets.ts';

const PAGES = 20;

test('pages without their code answer 503, and the log says so', async (context) => {
  const { logger, lines } = recorder('info');
  const folder = await temporaryFolder(context);
  const renderPage = await findRenderer(join(folder, 'client'), logger, join(folder, 'built'));
  assert.equal(renderPage, undefined);
  assert.match(JSON.stringify(lines), /"level":"warn".*they respond 503/);
  const app = await sampleApp({ renderPage });
  const answer = await app.request('/search/?query=tap');
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /\/api\/reviews\/search answers the same/);
  assert.equal((await app.request('/api/reviews/search?query=tap')).status, 200);
});

test('a page that cannot be rendered is a 500 without its reason', async (context) => {
  const folder = await temporaryFolder(context);
  await mkdir(join(folder, 'server'));
  const failing =
    'export const renderPage = async () => { throw new Error("rendered as 500", { cause: "secret" }); };';
  await writeFile(join(folder, 'server/entry.mjs'), failing);
  const { logger, lines } = recorder('error');
  const renderPage = await findRenderer(join(folder, 'client'), silent);
  const app = await sampleApp({ renderPage, logger });
  const answer = await app.request('/search/');
  assert.equal(answer.status, 500);
  assert.ok(!(await answer.text()).includes('secret'));
  assert.match(JSON.stringify(lines), /rendered as 500/);
});

test('the page names what is wrong in its own language', async () => {
  const edition = await openSampleFolder();
  const site = { ...edition.site, language: 'de' };
  const app = await sampleApp({ edition: () => ({ ...edition, site }) as Edition });
  const answer = await app.request('/search/?rating=9&since=x');
  const html = await answer.text();
  assert.match(html, /rating muss eine ganze Zahl von 1 bis 5 sein/);
  assert.doesNotMatch(html, /must be/);
});

test('loading the page leaves unhandled rejections fatal, as they are in Node', async () => {
  const before = process.listeners('unhandledRejection');
  const render = await findRenderer(join(await sampleEdition(), '../server'), silent);
  await assert.rejects(render!('/search/', {}), /no publication/);
  assert.deepEqual(process.listeners('unhandledRejection'), before);
});

test('once rendered, the page outlives the files of its code', async (context) => {
  const server = join(await temporaryFolder(context), 'server');
  await cp(join(await sampleEdition(), '../server'), server, { recursive: true });
  const app = await sampleApp({ renderPage: await findRenderer(server, silent) });
  const page = await (await app.request('/search/')).text();
  await rm(server, { recursive: true });
  assert.equal(await (await app.request('/search/')).text(), page);
});

test('a page leaves nothing in memory, whether it was rendered or failed', async () => {
  const render = (await findRenderer(join(await sampleEdition(), '../server'), silent))!;
  const made: WeakRef<object>[] = [];
  const noting: typeof render = (path, locals) => {
    made.push(new WeakRef(locals));
    return render(path, locals);
  };
  const app = await sampleApp({ renderPage: noting });
  for (let count = 0; count < PAGES; count++) {
    assert.equal((await app.request('/search/?query=water')).status, 200);
    await assert.rejects(noting('/search/', {}), /no publication/);
  }
  await collectGarbage();
  const left = made.filter((locals) => locals.deref() !== undefined).length;
  assert.deepEqual([made.length, left], [2 * PAGES, 0]);
});

test('code that is still being copied when it is first asked for is tried again', async (context) => {
  const folder = await temporaryFolder(context);
  await mkdir(join(folder, 'server'));
  await writeFile(join(folder, 'server/entry.mjs'), `export { renderPage } from './page.mjs';`);
  const render = (await findRenderer(join(folder, 'client'), silent))!;
  await assert.rejects(render('/search/', {}), /page\.mjs/);
  await writeFile(
    join(folder, 'server/page.mjs'),
    'export const renderPage = async () => Buffer.from("page");',
  );
  assert.equal(String(await render('/search/', {})), 'page');
});
