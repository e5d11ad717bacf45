import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { rawExchange } from '../support/http.ts';
import { dataPaths, forEachTarget, pagePaths, type Target } from '../support/targets.ts';

// Caching and security headers.

const DATA = 'public, max-age=60, s-maxage=300, stale-while-revalidate=600';
const ERRORS = ['/nothing', '/api/nothing', '/nothing.json', '/%zz', '/api/reviews/search?limit=0'];

/** Styles and scripts of a page, with what is in them. */
const INSIDE = /<(script|style)([^>]*)>(.*?)<\/\1>/gs;

const REDIRECTED = ['/search', '/insights'];

forEachTarget((target) => {
  test('a status line has a reason phrase', target.onSocket, async () => {
    for (const [path, line] of [
      ['/reviews.json', 'HTTP/1.1 200 OK'],
      ['/api/reviews/search', 'HTTP/1.1 200 OK'],
      ['/nothing.json', 'HTTP/1.1 404 Not Found'],
      ['/api/websub/hub', 'HTTP/1.1 405 Method Not Allowed'],
    ]) {
      const answer = await rawExchange(target.origin(), [`GET ${path} HTTP/1.1`]);
      assert.equal(answer.slice(0, answer.indexOf('\r\n')), line, path);
    }
  });

  test('data and feeds are kept for a minute, five at a CDN; a search or a count half a minute', async () => {
    for (const path of await dataPaths(target)) {
      const expected = /\/(search|count)/.test(path) ? 'public, max-age=30' : DATA;
      assert.equal((await target.fetch(path)).headers.get('cache-control'), expected, path);
    }
  });

  test('files named by their hash are kept for good', async () => {
    const { resources } = await target.manifest();
    const hashed = resources.filter(({ path }) => path.startsWith('/_astro/'));
    assert.ok(hashed.length > 0);
    for (const { path } of hashed) {
      const { headers } = await target.fetch(path);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
    }
  });

  test('every answer is of the type it says, and tells other sites no path', async () => {
    const pages = [...(await pagePaths(target)), ...REDIRECTED, '/healthz', '/readyz'];
    for (const path of [...(await dataPaths(target)), ...pages, ...ERRORS]) {
      const { headers } = await target.fetch(path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', path);
    }
  });

  test('pages of any origin may embed what is public, even isolated ones', async () => {
    const { resources } = await target.manifest();
    const files = resources.filter(({ path }) => /\.(css|ico|js|png|txt|woff2)$/.test(path));
    const paths = [...(await dataPaths(target)), ...(await pagePaths(target)), '/nothing.json'];
    for (const path of [...paths, ...files.map(({ path }) => path)]) {
      const { headers } = await target.fetch(path);
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin', path);
    }
  });

  test('feeds, XML and pictures opened as documents have the policy of pages', async () => {
    const page = await target.fetch('/');
    const document = { headers: { 'sec-fetch-dest': 'document' } };
    for (const path of ['/feed.xml', '/sitemap.xml', '/favicon.svg']) {
      for (const init of [document, {}]) {
        const { headers } = await target.fetch(path, init);
        assert.equal(headers.get('content-security-policy'), withoutHashes(page), path);
        const isolation = headers.get('cross-origin-opener-policy');
        assert.equal(isolation, page.headers.get('cross-origin-opener-policy'), path);
      }
    }
    assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin');
  });

  test('a page takes nothing foreign but pictures, and nothing inline but by its hash', async () => {
    for (const path of [...(await pagePaths(target)), '/nothing', '/%zz']) {
      const policy = policyOf(withoutHashes(await target.fetch(path)));
      assert.equal(policy.get('default-src'), "'none'", path);
      assert.equal(policy.get('script-src'), "'self'", path);
      assert.equal(policy.get('style-src'), "'self'", path);
      assert.equal(policy.get('base-uri'), "'none'", path);
      assert.equal(policy.get('frame-ancestors'), "'none'", path);
    }
  });

  test('no page has what its policy would block', async () => {
    let hashed = 0;
    for (const path of [...(await pagePaths(target)), '/nothing']) {
      const response = await target.fetch(path);
      const policy = policyOf(policyIn(response));
      const html = await response.text();
      assert.doesNotMatch(html, /<[^>]+ style=|<[^>]+ on[a-z]+=/i, path);
      for (const [, kind, attributes, code] of html.matchAll(INSIDE)) {
        if (/ src="\/| type="application\/ld\+json"/.test(attributes!)) continue;
        const hash = createHash('sha256').update(code!).digest('base64');
        const allowed = policy.get(`${kind}-src`)!.split(' ');
        assert.ok(allowed.includes(`'sha256-${hash}'`), `${kind} in ${path}`);
        hashed++;
      }
    }
    assert.ok(hashed > 0);
  });

  test('every file of the edition is served as the edition says', async () => {
    for (const resource of await oneOfEachType(target)) {
      const { headers, status } = await target.fetch(resource.path);
      assert.equal(status, 200, resource.path);
      assert.equal(headers.get('content-type'), resource.type, resource.path);
      assert.equal(headers.get('content-length'), String(resource.size), resource.path);
      assert.equal(headers.get('etag'), resource.etag, resource.path);
    }
  });
});

function policyIn({ headers }: Response): string {
  return headers.get('content-security-policy') ?? '';
}

/** Returns the policy of a page without the code that is in pages. */
function withoutHashes(page: Response): string {
  return policyIn(page).replaceAll(/ 'sha256-[^']+'/g, '');
}

function policyOf(policy: string): Map<string, string> {
  const directives = policy.split(/;\s*/);
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

async function oneOfEachType(target: Target) {
  const { resources } = await target.manifest();
  return [...new Map(resources.map((resource) => [resource.type, resource])).values()];
}
