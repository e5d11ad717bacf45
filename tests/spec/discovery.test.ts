import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METHOD_CHECK_PATH } from '../../src/paths.ts';
import { children, child, parseDocument } from '../support/parse-xml.ts';
import { initialize, post } from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';

// Files for robots, assistants and security researchers, at their well-known addresses.

const TEXT = 'text/plain; charset=utf-8';
const DAY_MS = 86_400_000;

forEachTarget((target) => {
  const read = async (path: string, type: string): Promise<string> => {
    const answer = await target.fetch(path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('content-type'), type, path);
    return answer.text();
  };

  test('robots.txt lets everyone read, but not wander through searches', async () => {
    const lines = (await read('/robots.txt', TEXT)).split('\n');
    assert.ok(lines.includes('User-agent: *') && lines.includes('Allow: /'));
    assert.ok(lines.includes('Disallow: /search/?'));
    const { base_url: baseUrl } = await target.manifest();
    assert.ok(lines.includes(`Sitemap: ${baseUrl}/sitemap.xml`));
  });

  test('security.txt has what RFC 9116 requires, and less than a year to live', async () => {
    const lines = (await read('/.well-known/security.txt', TEXT)).trim().split('\n');
    const fields = new Map(lines.map((line) => line.split(/: (.*)/) as [string, string]));
    assert.match(fields.get('Contact')!, /^(mailto:|https:\/\/)/);
    const { base_url: baseUrl, last_modified: lastModified } = await target.manifest();
    assert.equal(fields.get('Canonical'), `${baseUrl}/.well-known/security.txt`);
    const days = (Date.parse(fields.get('Expires')!) - Date.parse(lastModified)) / DAY_MS;
    assert.ok(days >= 364 && days % 364 === 0, `${days} days after the edition`);
  });

  test('the sitemap names every page of the edition, every review and the search, and each of them answers', async () => {
    const root = parseDocument(await read('/sitemap.xml', 'application/xml'));
    assert.equal(root.attributes.xmlns, 'http://www.sitemaps.org/schemas/sitemap/0.9');
    const { base_url: baseUrl, resources } = await target.manifest();
    const pages = resources
      .filter(({ path, type }) => type.startsWith('text/html') && path.endsWith('/'))
      .filter(({ path }) => path !== METHOD_CHECK_PATH)
      .map(({ path }) => baseUrl + path);
    const { reviews } = await target.dataset();
    const all = new Set([...pages, `${baseUrl}/search/`, ...reviews.map(({ url }) => url)]);
    const named = children(root, 'url').map((url) => child(url, 'loc').text);
    assert.deepEqual(named.toSorted(), [...all].toSorted());
    for (const url of named) {
      const answer = await target.fetch(url.slice(baseUrl.length), { method: 'HEAD' });
      assert.equal(answer.status, 200, url);
    }
  });

  test('llms.txt has a title, a summary and links that lead somewhere', async () => {
    const text = await read('/llms.txt', TEXT);
    const { business, aggregate_rating: rating } = await target.dataset();
    assert.ok(text.startsWith(`# Reviews of ${business.name}\n\n> `));
    assert.ok(text.includes(`${rating.review_count} customer reviews`));
    assert.match(text, /send no Authorization header/);
    const { base_url: baseUrl } = await target.manifest();
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): /gm)].map(([, url]) => url!);
    assert.ok(links.length >= 8);
    for (const url of links) {
      assert.ok(url.startsWith(baseUrl), url);
      const answer = await target.fetch(url.slice(baseUrl.length), { method: 'HEAD' });
      assert.equal(answer.status, 200, url);
    }
  });

  test('a client that knows only the domain finds the MCP server', async () => {
    const card = await target.fetch('/.well-known/mcp/server-card.json');
    assert.equal(card.headers.get('content-type'), 'application/mcp-server-card+json');
    assert.equal(card.headers.get('access-control-allow-origin'), '*');
    const { remotes, name } = await card.json();
    const path = new URL(remotes[0].url).pathname;
    const { body } = await post(target, initialize('2025-11-25'));
    assert.equal(path, '/mcp');
    assert.equal(body!.result.serverInfo.name, name);
  });

  test('a browser gets the same bytes of the feed, as XML with a style', async () => {
    const feed = await target.fetch('/feed.xml');
    const opened = await target.fetch('/feed.xml', { headers: { 'sec-fetch-dest': 'document' } });
    assert.equal(feed.headers.get('content-type'), 'application/atom+xml');
    assert.equal(opened.headers.get('content-type'), 'application/xml');
    assert.equal(await opened.text(), await feed.text());
    assert.notEqual(opened.headers.get('etag'), feed.headers.get('etag'));
    for (const { headers } of [feed, opened]) assert.match(headers.get('vary')!, /Sec-Fetch-Dest/);
    const again = await target.fetch('/feed.xml', {
      headers: { 'sec-fetch-dest': 'document', 'if-none-match': opened.headers.get('etag')! },
    });
    assert.equal(again.status, 304);
  });
});
