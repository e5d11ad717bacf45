import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { BASE, bistroEdition } from '../support/bistro-edition.ts';
import { isTranslated } from '../../src/paths.ts';
import { readDataset } from '../support/edition.ts';
import { checkHonesty } from '../support/honesty.ts';
import { readPages, visibleText } from '../support/pages.ts';
import { appOf } from '../support/targets.ts';
import { htmlErrors } from '../support/validate-html.ts';

const { client } = await bistroEdition();
/** The pages, with addresses as if the site began at the root. */
const pages = (await readPages(client)).map((page) => ({
  ...page,
  html: page.html.replaceAll(`"${BASE}/`, '"/'),
}));

test('pages speak of the trade, and only of what its reviews have', async () => {
  const inArabic = pages.filter(({ path }) => path.startsWith('/ar/'));
  for (const { html, path } of inArabic) assert.deepEqual(await htmlErrors(html), [], path);
  const inEnglish = pages.filter(({ path }) => !/^\/(de|ar)\//.test(path));
  assert.deepEqual(checkHonesty(inEnglish, (await readDataset(client)).reviews), []);
  const html = Object.fromEntries(inEnglish.map(({ path, html }) => [path, html]));
  const text = (path: string) => visibleText(html[path]!);

  assert.match(html['/']!, /placeholder="pizza, waiter, price …"/);
  assert.match(text('/'), /Servers in the reviews Ilse 2 reviews/);
  assert.doesNotMatch(text('/'), /Answered|Not answered|Dishes in the reviews|echnician/);
  assert.match(text('/insights/'), /Servers Server Reviews/);
  assert.match(text('/technicians/ilse/'), /Servers are people/);
  assert.match(
    text('/faq/'),
    /Is the food good\? 3 reviews mention it: 2 favorably, 1 critically\./,
  );
  assert.doesNotMatch(text('/faq/'), /parking/);
  for (const page of inEnglish) assert.match(page.html, /href="\/faq\/"/, page.path);

  const app = await appOf(client);
  const get = async (path: string) => (await app.request(path)).text();
  const search = await get('/search/');
  assert.match(visibleText(search), /Server Ilse 2/);
  assert.match(search, /placeholder="pizza, waiter, price …"/);
  assert.ok(search.includes(`href="${BASE}/faq/"`));
  const asked = await get('/search/?mentions_service=soup');
  assert.match(visibleText(asked), /Nothing here is called “soup”/);
});

test('a further language has every page of a visitor, in its words, and names the others', async () => {
  const html = Object.fromEntries(pages.map(({ path, html }) => [path, html]));
  const { base_url: site } = JSON.parse(await readFile(join(client, 'edition.json'), 'utf8'));
  const paths = Object.keys(html).filter(isTranslated);
  assert.ok(paths.length >= 8, paths.join());
  for (const path of paths) {
    const page = html[`/de${path}`]!;
    assert.match(page, /<html lang="de">/, path);
    assert.ok(page.includes(`<link rel="canonical" href="${site}/de${path}">`), path);
    for (const [tag, address] of [
      ['en', path],
      ['de', `/de${path}`],
      ['ar', `/ar${path}`],
      ['x-default', path],
    ]) {
      const link = `<link rel="alternate" hreflang="${tag}" href="${site}${address}">`;
      assert.ok(page.includes(link) && html[path]!.includes(link), `${path} ${tag}`);
    }
    assert.ok(page.includes(`hreflang="en" href="${path}"`), path);
    assert.ok(html[path]!.includes(`hreflang="de" href="/de${path}"`), path);
    const links = [...page.matchAll(/(?<!hreflang="\w+") href="(\/[^"]*)"/g)];
    for (const [, to] of links) assert.ok(!isTranslated(to!), `${path} leads to ${to}`);
  }
  assert.match(
    visibleText(html['/de/faq/']!),
    /Ist das Essen gut\? 3 Bewertungen erwähnen das: 2 lobend, 1 kritisch\./,
  );
  assert.match(visibleText(html['/de/insights/']!), /Essen/);
  assert.doesNotMatch(Object.keys(html).join(), /\/de\/(?:developers|search|embed)/);
});

test('numbers, addresses, codes and prose of the owner run their own way in a page from right to left', () => {
  const html = pages.find(({ path }) => path === '/ar/')!.html;
  const number = String.raw`\+1\s207\s555\s0199`;
  assert.match(html, new RegExp(`<bdi dir="ltr">${number}</bdi>`));
  assert.match(html, new RegExp(`<a href="tel:[^"]*" dir="ltr">${number}`));
  for (const line of ['5 Mill Lane', 'Portland', 'Restaurant · Portland']) {
    assert.ok(html.includes(`<bdi>${line}</bdi>`), line);
  }
  assert.match(html, /<div class="prose" dir="auto">/);
});

/** Names and formats that Arabic pages write in Latin letters. */
const LATIN =
  /Restaurant|Bistro Ilse|Ilse|local-rules|a-model|prompt|CFR|DMCC Act|ISO|Ada L|criticism_at|score|[a-z-]+\.json|Google|Yelp|Facebook|JSON|Atom|SHA-256|CSV|CC-BY-4\.0|MCP|RSS|npm run [a-z]+|https?:\S*/g;

test('a page in a script of its own shows each word that no catalog has', async () => {
  const inArabic = pages.filter(({ path }) => path.startsWith('/ar/'));
  assert.ok(inArabic.length >= 8);
  for (const { path, html } of inArabic) {
    const own = html
      .replaceAll(
        /<(h3|p|q|blockquote|a|ul)\b[^>]*(?: lang="(?!ar")[^"]*"| dir="auto")[^>]*>.*?<\/\1>/gs,
        ' ',
      )
      .replaceAll(/<(code|bdi)\b.*?<\/\1>/gs, ' ');
    const words =
      visibleText(own)
        .replaceAll(LATIN, ' ')
        .match(/[a-z][a-z' -]{2,}/gi) ?? [];
    assert.deepEqual(words, [], path);
  }
});

test('initials are shown beside names, and nothing beside a review of nobody', () => {
  const cards = pages.flatMap(({ html }) =>
    [...html.matchAll(/<article class="review box".*?<\/article>/gs)].map(([card]) => card),
  );
  const isNamed = (card: string) => card.includes('<bdi class="author">');
  const [named, anonymous] = [cards.filter(isNamed), cards.filter((card) => !isNamed(card))];
  assert.ok(anonymous.length > 0 && named.length > 100);
  for (const card of named) assert.match(card, /class="disc" data-initials="[^"]+"/);
  for (const card of anonymous) assert.doesNotMatch(card, /class="disc"/);
});
