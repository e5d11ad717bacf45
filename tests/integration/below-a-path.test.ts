import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BASE, bistroEdition, SITE } from '../support/bistro-edition.ts';
import { exchange } from '../support/http.ts';
import { attributeValues, linksIn } from '../support/pages.ts';
import { runSpecSuite } from '../support/spec-suite.ts';
import { appOf, serveApp } from '../support/targets.ts';

const { client } = await bistroEdition();
const url = await serveApp({ after }, await appOf(client), { site: { basePath: BASE } });

const get = (path: string) => exchange(url, path);

/** These state paths at the root themselves, or write to a socket. */
const OF_THE_ROOT = [
  'after the headers of a HEAD or a 304 nothing is sent',
  'a status line has a reason phrase',
  'the permalink of a review leads to its page, and a former one to an anchor',
];
/** Suites of answers that the sidecar computes; the addresses in files are followed below. */
const SUITE = '{errors,search}';

test('the spec suite passes below a path', async () => {
  const { failures, passed } = await runSpecSuite(`${url}our/reviews`, OF_THE_ROOT, SUITE);
  assert.deepEqual(failures, []);
  assert.ok(passed > 12, `${passed} passed`);
});

test('every address of a page, a style or a feed is below the path, and answers', async () => {
  const seen = new Set([`${BASE}/`, `${BASE}/feed.xml`, `${BASE}/search/?query=went`]);
  for (const path of seen) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    const type = answer.headers.get('content-type')!;
    if (!/html|css|xml/.test(type)) continue;
    for (const address of addressesIn(await answer.text())) {
      const { origin, pathname, search } = new URL(address, `https://shop.example${path}`);
      if (origin !== 'https://shop.example' || isComputed(pathname)) continue;
      assert.ok(pathname.startsWith(`${BASE}/`), `${address} on ${path}`);
      if (search === '') seen.add(pathname);
    }
  }
  assert.ok(seen.size > 50, String(seen.size));
});

/** The hub takes no GET; the page of a review is computed, and one stands for all. */
function isComputed(pathname: string): boolean {
  return pathname.endsWith('/hub') || /\/reviews\/\w{26}(\/|\.)/.test(pathname);
}

function addressesIn(text: string): string[] {
  const inStyles = text.matchAll(/url\(['"]?([^'")]+)/g);
  return [...linksIn(text), ...Array.from(inStyles, ([, address]) => address!)];
}

test('a search stays in the language of its page', async () => {
  const html = await (await get(`${BASE}/de/search/?rating=5`)).text();
  assert.match(html, /<html lang="de">/);
  const form = /<form[^>]* action="([^"]*)"/.exec(html)?.[1];
  assert.equal(form, `${BASE}/de/search/`);
  const links = attributeValues(html, 'href').filter((href) => href.includes('/search/'));
  const others = links.filter((href) => !href.includes('/de/search/'));
  assert.deepEqual(others.map((href) => href.replace(/\?.*/, '')).sort(), [
    `${BASE}/ar/search/`,
    `${BASE}/search/`,
    `${SITE}/ar/search/`,
    `${SITE}/search/`,
    `${SITE}/search/`,
  ]);
  assert.ok(links.length > 10);
  const home = await (await get(`${BASE}/ar/`)).text();
  assert.ok(attributeValues(home, 'action').includes(`${BASE}/ar/search/`));
  assert.equal((await get(`${BASE}/fr/search/`)).status, 404);
  const moved = await get(`${BASE}/de/search?rating=5`);
  assert.equal(moved.headers.get('location'), `${BASE}/de/search/?rating=5`);
});

test('redirects stay below the path, probes answer at the root too, other sites are not ours', async () => {
  for (const [path, location] of [
    [`${BASE}/insights`, `${BASE}/insights/`],
    [`${BASE}/search?query=a`, `${BASE}/search/?query=a`],
    [`${BASE}/rss`, `${BASE}/feed.xml`],
  ] as const) {
    const { headers, status } = await get(path);
    assert.deepEqual([status, headers.get('location')], [301, location]);
  }
  for (const path of [BASE, '/healthz', '/readyz', `http://shop.example${BASE}/summary.json`]) {
    assert.equal((await get(path)).status, 200, path);
  }
  for (const path of ['/', '/reviews.json', `${BASE}x/`, '/our/', '//our/']) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test('hub, feeds and documents name the address with its path', async () => {
  const { headers } = await get(`${BASE}/feed.xml`);
  assert.equal(
    headers.get('link'),
    `<${SITE}/feed.xml>; rel="self", <${SITE}/api/websub/hub>; rel="hub"`,
  );
  const search = await get(`${BASE}/api/reviews/search?limit=1`);
  assert.ok(search.headers.get('link')!.startsWith(`<${SITE}/api/reviews/search?limit=1&cursor=`));
  const robots = await (await get(`${BASE}/robots.txt`)).text();
  assert.match(robots, /^Disallow: \/our\/reviews\/search\/\?$/m);
  const openapi = (await (await get(`${BASE}/openapi.json`)).json()) as { servers: unknown };
  assert.deepEqual(openapi.servers, [{ url: SITE }]);
  assert.match(await readFile(join(client, '_headers'), 'utf8'), /^\/our\/reviews\/\*$/m);
});
