import assert from 'node:assert/strict';
import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openEdition } from '../../sidecar/edition/edition.ts';
import { findRenderer } from '../../sidecar/http/renderer.ts';
import { searchOf } from '../../src/browser/search/answer-in-worker.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { ServerProcess } from '../bench/server-process.ts';
import { buildEdition, readDataset, silent } from '../support/edition.ts';
import { DATASET, temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { installed, NGINX } from '../support/front-servers.ts';
import { attributeValues, readManifest, readPages } from '../support/pages.ts';
import { Questions } from '../support/questions.ts';
import { Random } from '../support/random.ts';
import { newContext, sidewaysScroll, VIEWS } from '../support/site-browser.ts';
import { sampleApp } from '../support/targets.ts';

/** Renders a page each; `QUESTIONS=3000` is thorough. */
const QUESTIONS = Number(process.env.QUESTIONS ?? 30);

const folder = await temporaryFolder({ after });
await chmod(folder, 0o755); // nginx serves as nobody where it is started by root
const client = await buildWithoutSidecar();
const manifest = await readManifest(client);
const files = new Set(manifest.resources.map(({ path }) => path));

async function buildWithoutSidecar(): Promise<string> {
  const content = join(folder, 'content');
  await cp(DATASET, content, { recursive: true });
  const file = join(content, 'business.json');
  const business = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...business, sidecar: false }));
  const env = { CONTENT_DIR: content, HUB_URL: '' };
  return (await buildEdition(join(folder, 'dist'), env)).client;
}

test('without a sidecar, every link of every page leads to a file', async () => {
  let checked = 0;
  for (const { html, path } of await readPages(client)) {
    const values = ['href', 'src', 'action'].flatMap((name) => attributeValues(html, name));
    for (const value of values) {
      const url = new URL(value, manifest.base_url + path);
      if (url.origin !== manifest.base_url || url.pathname === '/edition.json') continue;
      checked++;
      assert.ok(files.has(url.pathname), `${path} links to ${value}`);
    }
  }
  assert.ok(checked > 5000);
});

test('without a sidecar, every review has its page at its address', async () => {
  const { reviews } = await readDataset(client);
  const lost = reviews.filter(({ url }) => !files.has(new URL(url).pathname));
  assert.deepEqual(lost, []);
});

test('without a sidecar, no document or page names what only a sidecar serves', async () => {
  const texts = manifest.resources.filter(
    ({ path, type }) => /html|json|xml|plain/.test(type) && !path.startsWith('/schemas/'),
  );
  for (const { file, headers } of texts) {
    const text = await readFile(join(client, file), 'utf8');
    assert.doesNotMatch(
      text,
      /\bMCP\b|Mcp-|"\/mcp|websub\/hub|\/api\/reviews\/(search|count)/,
      file,
    );
    assert.doesNotMatch(JSON.stringify(manifest.header_sets[headers]), /rel=..hub/, file);
  }
});

test(`${QUESTIONS} random searches in a browser give the pages that a sidecar gives`, async () => {
  const { reviews } = await readDataset(client);
  const insights = await readFile(join(client, 'insights.json'), 'utf8');
  const { per_review: perReview } = JSON.parse(insights) as InsightsDataset;
  const { base_url: baseUrl, edition, names, site } = manifest;
  const server = join(client, '../server');
  const { renderHtml } = await import(pathToFileURL(join(server, 'entry.mjs')).href);
  const search = searchOf(
    { baseUrl, edition, names, words: site!, renderHtml },
    await readFile(join(client, 'reviews.json')),
    await readFile(join(client, 'review-labels.json')),
  );
  const manifestBytes = await readFile(join(client, 'edition.json'));
  const opened = await openEdition({ digest: 'files', folder: client, manifest, manifestBytes });
  const renderPage = await findRenderer(server, silent);
  const app = await sampleApp({ edition: () => opened, renderPage });
  const questions = new Questions(new Random(34), { reviews, perReview, names });
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const given = Object.entries(questions.search()).map(([name, value]) => [name, String(value)]);
    const query = `?${new URLSearchParams(given)}`;
    const answer = await app.request(`/search/${query}`);
    assert.equal(await search(query), await answer.text(), query);
  }
});

const PYTHON = `import http.server, sys
class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Silent).serve_forever()`;

/** Any server of files does; each serves the folder of a build as it is. */
const SERVERS: Record<string, (port: number) => Promise<[command: string, ...args: string[]]>> = {
  python3: async (port) => {
    await writeFile(
      join(folder, 'serve.py'),
      `import os\nos.chdir(${JSON.stringify(client)})\n${PYTHON}`,
    );
    return ['python3', join(folder, 'serve.py'), String(port)];
  },
  caddy: async (port) => [
    'caddy',
    'file-server',
    '--root',
    client,
    '--listen',
    `127.0.0.1:${port}`,
  ],
  [NGINX]: async (port) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    await writeFile(
      join(folder, 'nginx.conf'),
      `pid ${folder}/nginx.pid; daemon off; events {}
http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')}
server { listen 127.0.0.1:${port}; root ${client}; } }`,
    );
    return [NGINX, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx.log')];
  },
};

for (const [name, commandOf] of Object.entries(SERVERS)) {
  const skip = !installed(name, name === 'caddy' ? 'version' : '-V');
  test(`the search runs in a browser on files that ${name} serves`, { skip }, async () => {
    const port = await freePort();
    const [command, ...args] = await commandOf(port);
    const server = await ServerProcess.start(command, args, port);
    try {
      await searchInBrowser(`http://127.0.0.1:${port}`);
    } finally {
      await server.stop();
    }
  });
}

async function searchInBrowser(origin: string): Promise<void> {
  for (const { viewport, colorScheme } of VIEWS) {
    await using context = await newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${origin}/search/`);
    const heading = page.locator('#results h2');
    const all = await heading.textContent();
    await page.getByLabel('Words in reviews').fill('water');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/query=water/);
    assert.notEqual(await heading.textContent(), all);
    const found = await heading.textContent();
    const fold = page.getByText('Filter the reviews');
    if (await fold.isVisible()) await fold.click();
    await page.getByRole('link', { name: /^5 stars/ }).click();
    await page.waitForURL(/query=water.*rating=5/);
    assert.notEqual(await heading.textContent(), found);
    await page.goBack();
    await page.locator('#results h2', { hasText: found! }).waitFor();
    assert.equal(await page.getByLabel('Words in reviews').inputValue(), 'water');
    assert.equal(await sidewaysScroll(page), 0);
    assert.deepEqual(errors, []);
  }
  await using plain = await newContext({ javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(`${origin}/`);
  await page.locator('a[href^="/search/rating-"]').first().click();
  await page.waitForURL(/\/search\/rating-\d\//);
  assert.match((await page.locator('#results h2').textContent())!, /^\d+ reviews?$/);
  await page.goto(`${origin}/search/`);
  assert.ok(await page.locator('noscript p').isVisible());
}
