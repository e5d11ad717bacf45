import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Issue } from '../../src/schema/error.ts';
import { searchFilters, type SearchResult } from '../../src/schema/search.ts';
import { elements, textOf } from '../support/html.ts';
import { forEachTarget, type Target } from '../support/targets.ts';
import { htmlErrors } from '../support/validate-html.ts';

// The search of the contract, section 4.5, as a page without scripts.

const SEARCHES = [
  '',
  'query=water',
  'rating=&query=&limit=2',
  'since=2026-01-01&until=2026-03-31&limit=100',
  'query=zzzzzz',
];
const INVALID = [
  'rating=9',
  'min_rating=many&limit=0',
  `query=${'x'.repeat(2001)}`,
  'min_stars=4&rating=5&rating=4',
  'sort=best&has_reply=perhaps&sentiment=good',
];

forEachTarget((target) => {
  test('is valid HTML for any request', async () => {
    for (const search of ['', '?query=water&mentions_technician=Nobody', `?${INVALID[1]}`]) {
      const answer = await target.fetch(`/search/${search}`);
      assert.deepEqual(await htmlErrors(await answer.text()), [], search);
    }
  });

  test('words, dates, place and order are fields with a label, in a form that gets /search/', async () => {
    const html = await page(target, '/search/');
    const labels = elements(html, 'label').map(({ attributes }) => attributes.for);
    assert.deepEqual(labels, ['query', 'since', 'until', 'in', 'sort']);
    const [form] = elements(html, 'form');
    assert.equal(form!.attributes.action, '/search/');
    assert.equal(form!.attributes.method, 'get');
  });

  for (const path of ['/search/', '/reviews/', '/search/?query=the&max_rating=3']) {
    test(`${path} links to narrower searches with as many reviews as it says`, async () => {
      const links = filterLinks(await page(target, path));
      const names = new Set<string>();
      for (const { query, count } of links) {
        const added = [...query.keys()].at(-1)!;
        if (path.includes('?')) assert.equal(query.get('query'), 'the');
        else if (names.has(added)) continue;
        names.add(added);
        const { matched } = await target.json<SearchResult>(
          `/api/reviews/search?${query}&match=words`,
        );
        assert.equal(matched, count, String(query));
      }
      for (const name of ['rating', 'mentions_service', 'aspect']) {
        assert.ok(names.has(name), name);
      }
    });
  }

  test('the form passes on what links have set, but no cursor', async () => {
    const { next } = await target.json<SearchResult>('/api/reviews/search?min_rating=4&limit=3');
    const html = await page(target, `/search/?min_rating=4&limit=3&query=the&cursor=${next}`);
    const hidden = elements(html, 'input').filter(({ attributes }) => attributes.type === 'hidden');
    assert.deepEqual(
      hidden.map(({ attributes: { name, value } }) => [name, value]),
      [
        ['min_rating', '4'],
        ['limit', '3'],
      ],
    );
  });

  test('each filter in use has a link that removes it, and it alone', async () => {
    const html = await page(target, '/search/?query=the&max_rating=3&has_reply=true&limit=5');
    const list = elements(html, 'ul').find(
      ({ attributes }) => attributes['aria-label'] === 'Filters in use',
    );
    const links = elements(list!.inner, 'a').map(({ attributes, inner }) => [
      textOf(inner).replace(/\s+/g, ' ').trim(),
      attributes.href!.replaceAll('&amp;', '&'),
    ]);
    assert.deepEqual(links, [
      ['Remove filter: 3 stars or fewer ×', '/search/?query=the&has_reply=true&limit=5'],
      ['Remove filter: “the” ×', '/search/?max_rating=3&has_reply=true&limit=5'],
      ['Remove filter: Answered ×', '/search/?max_rating=3&query=the&limit=5'],
      ['Clear all', '/search/'],
    ]);
  });

  test('an empty result links to searches with matches, with their counts', async () => {
    for (const [search, least] of [
      ['query=water+zebra&max_rating=2', 2],
      ['query=LEAKS+xyzzy', 1],
      ['query=xyzzy', 0],
    ] as const) {
      const html = await page(target, `/search/?${search}`);
      const [, results] = html.split('id="results"');
      const links = elements(results!, 'a').filter(({ inner }) => inner.includes('<small>'));
      assert.ok(links.length >= least, search);
      for (const { attributes, inner } of links) {
        const query = attributes.href!.replaceAll('&amp;', '&').slice('/search/'.length);
        const { matched } = await target.json<SearchResult>(
          `/api/reviews/search?match=words&${query.slice(1)}`,
        );
        assert.ok(matched > 0 && matched < 355, 'all reviews are no result of a search');
        assert.equal(countIn(inner), matched);
      }
    }
  });

  for (const search of SEARCHES) {
    test(`finds what the JSON search finds: ${search || 'everything'}`, async () => {
      const { matched, reviews } = await target.json<SearchResult>(
        `/api/reviews/search?${search}&match=words`,
      );
      const html = await page(target, `/search/?${search}`);
      const title = elements(html, 'h2').find(
        ({ attributes }) => attributes.id === 'results-title',
      );
      assert.equal(Number.parseInt(textOf(title!.inner), 10), matched);
      const articles = elements(html, 'article').map(({ inner }) => textOf(inner));
      assert.equal(articles.length, reviews.length);
      for (const [at, { author, text }] of reviews.entries()) {
        assert.ok(articles[at]!.includes(author) && articles[at]!.includes(text ?? ''), author);
      }
    });
  }

  test('marks what matched in every text, and nothing else', async () => {
    const html = await page(target, '/search/?query=Water');
    const articles = elements(html, 'article');
    assert.ok(articles.length > 0);
    for (const { inner } of articles) {
      const marks = elements(inner, 'mark').map((mark) => mark.inner.toLowerCase());
      assert.ok(marks.length > 0);
      assert.ok(marks.every((mark) => mark.startsWith('water')));
    }
    assert.equal(elements(await page(target, '/search/?limit=5'), 'mark').length, 0);
  });

  test('says in one line how the words of a search were read', async () => {
    for (const [query, line] of [
      ['watre+heater', 'No review has “watre”. Searched for “water”.'],
      ['does+the+furnace+make+a+noise', 'Not searched for: does, the, a.'],
      ['on+time', 'Reviews with these words side by side:'],
    ]) {
      const html = await page(target, `/search/?query=${query}`);
      assert.ok(textOf(html.split('id="results"')[1]!).includes(line!), query);
    }
    assert.ok(!(await page(target, '/search/?query=water')).includes('Searched for'));
  });

  for (const search of INVALID) {
    test(`answers 400 with every issue, beside its field if it has one: ${search.slice(0, 40)}`, async () => {
      const answer = await target.fetch(`/search/?${search}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const html = await answer.text();
      const refused = await target.fetch(`/api/reviews/search?${search}`);
      const { issues } = (await refused.json()) as { issues: Issue[] };
      const said = new Map(
        elements(html, 'p').map(({ attributes, inner }) => [attributes.id, textOf(inner).trim()]),
      );
      const fields = [...elements(html, 'input'), ...elements(html, 'select')];
      for (const { path, message } of issues) {
        const name = path[0]!;
        const field = fields.find(({ attributes }) => attributes.name === name)?.attributes;
        if (!field) assert.equal(said.get(`${name}-issue`), message);
        else {
          assert.equal(field['aria-invalid'], 'true');
          assert.equal(said.get(field['aria-describedby']), message.replace(name, 'It'));
        }
      }
      const invalid = fields.filter(({ attributes }) => 'aria-invalid' in attributes);
      const named = new Set(issues.map(({ path }) => path[0]));
      assert.ok(invalid.every(({ attributes }) => named.has(attributes.name)));
      assert.equal(elements(html, 'article').length, 0);
    });
  }

  test('shows nothing of what was sent as markup', async () => {
    const hostile = encodeURIComponent('"><script>alert(1)</script>');
    for (const name of Object.keys(searchFilters.shape)) {
      const html = await (await target.fetch(`/search/?${name}=${hostile}`)).text();
      assert.ok(!html.includes('"><script>alert'), name);
    }
  });

  test('has a link to this search without the empty fields, and one to its JSON', async () => {
    const html = await page(target, '/search/?query=tap&rating=&since=&limit=5');
    const { base_url: baseUrl } = await target.manifest();
    assert.ok(html.includes(`rel="canonical" href="${baseUrl}/search/?query=tap&amp;limit=5"`));
    assert.ok(html.includes('href="/search/?query=tap&amp;limit=5"'));
    assert.ok(html.includes('href="/api/reviews/search?query=tap&amp;limit=5&amp;match=words"'));
  });

  test('its scripts are files, and its styles have a name that stays', async () => {
    const html = await page(target, '/search/');
    const scripts = elements(html, 'script').map(({ attributes: { src } }) => src);
    assert.deepEqual(scripts, ['/assistant.js', '/search.js']);
    assert.match(html, /<link rel="stylesheet" href="\/styles\/pages\.css"/);
    const { headers, status } = await target.fetch('/styles/pages.css');
    assert.equal(status, 200);
    assert.doesNotMatch(headers.get('cache-control')!, /immutable/);
  });

  test('every match is a link away, once', async () => {
    const { reviews } = await target.dataset();
    const seen: string[] = [];
    let path: string | undefined = '/search/?sort=lowest&limit=100';
    for (let pages = 0; path !== undefined && pages < 40; pages++) {
      const html = await page(target, path);
      for (const { inner } of elements(html, 'article')) {
        seen.push(/href="\/reviews\/([0-9A-Z]{26})\/"/.exec(inner)![1]!);
      }
      const next = elements(html, 'a').find(({ attributes }) => attributes.rel === 'next');
      path = next?.attributes.href?.replaceAll('&amp;', '&');
    }
    assert.equal(seen.length, reviews.length);
    assert.equal(new Set(seen).size, reviews.length);
  });

  test('an unknown name stays a filter, finds nothing and gets a message with suggestions', async () => {
    const { services } = (await target.manifest()).names;
    const label = services[0]!.names[0]!;
    const name = encodeURIComponent(`${label} xyz`);
    const html = await page(target, `/search/?mentions_service=${name}`);
    assert.match(textOf(html), /Nothing here is called/);
    assert.ok(textOf(html).includes(`Remove filter: ${label} xyz`));
    assert.equal(elements(html, 'article').length, 0);
    assert.ok(textOf(html).includes(`Did you mean ${label}`), label);
  });

  test('says which filters exclude each other', async () => {
    const html = await page(target, '/search/?min_rating=4&max_rating=2&since=2025-02-01');
    assert.match(textOf(html), /No review is both “4[^”]*” and “2[^”]*”/);
    assert.ok(!(await page(target, '/search/?min_rating=2')).includes('No review is both'));
  });

  test('/search leads to /search/, with the search', async () => {
    const answer = await target.fetch('/search?query=water%20heater&rating=5');
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), '/search/?query=water%20heater&rating=5');
  });
});

async function page(target: Target, path: string): Promise<string> {
  const answer = await target.fetch(path);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

/** Returns the links of the filters: the search behind each, and the number of reviews it states. */
function filterLinks(html: string): { query: URLSearchParams; count: number }[] {
  const [, filters] = html.split('id="filters"');
  const links = elements(filters!.split('</aside>')[0]!, 'a');
  assert.ok(links.length > 5);
  return links.map(({ attributes, inner }) => ({
    query: new URLSearchParams(attributes.href!.split('?')[1]!.replaceAll('&amp;', '&')),
    count: countIn(inner),
  }));
}

function countIn(link: string): number {
  return Number(textOf(elements(link, 'small')[0]!.inner).replaceAll(',', ''));
}
