import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthPath } from '../../src/paths.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { pageOfEachTemplate } from '../support/pages.ts';
import { checkViews, openPage } from '../support/site-browser.ts';

const client = await sampleEdition();

for (const { path } of await pageOfEachTemplate(client)) {
  test(`${path} is sound on a phone in light and a desktop in dark`, () => checkViews(path));
}

test('the first key press offers to skip to the content, the second goes there', async () => {
  await using opened = await openPage('/');
  const { page } = opened;
  await page.keyboard.press('Tab');
  const skip = page.locator(':focus');
  assert.match((await skip.textContent())!, /Skip to content/);
  assert.ok((await skip.boundingBox())!.x >= 0, 'cannot be seen');
  await page.keyboard.press('Enter');
  assert.equal(new URL(page.url()).hash, '#main');
});

test('the two fonts come from the site, and the text is set in them', async () => {
  await using opened = await openPage('/');
  const loaded = await opened.page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replaceAll('"', ''));
  });
  assert.deepEqual([...new Set(loaded)].sort(), ['Source Sans', 'Source Serif']);
});

test('on paper there is nothing to press, and no heading is left alone at the end of a page', async () => {
  for (const path of ['/', '/search/?query=water', monthPath('2024-08')]) {
    await using opened = await openPage(path, { colorScheme: 'dark' });
    const { page } = opened;
    await page.emulateMedia({ media: 'print' });
    const visible = page.locator(':is(form, nav, .actions, #filters, .tall):visible');
    assert.equal(await visible.count(), 0, path);
    const headings = await page
      .locator('main h2')
      .evaluateAll((all) => all.map((heading) => getComputedStyle(heading).breakAfter));
    assert.deepEqual(new Set(headings), new Set(['avoid']), path);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, 'rgb(255, 255, 255)', path);
  }
});

test('on paper each review has its author, and the home page what is left out', async () => {
  for (const path of ['/', monthPath('2026-05')]) {
    await using opened = await openPage(path);
    const { page } = opened;
    await page.emulateMedia({ media: 'print' });
    const authors = page.locator('article .author-line');
    const count = await page.locator('article:visible').count();
    assert.ok(count > 3, path);
    assert.equal(await authors.filter({ visible: true }).count(), count, path);
    const leftOut = page.locator('.coverage a');
    const shown = await leftOut.evaluateAll((links) =>
      links.map((link) => getComputedStyle(link).display),
    );
    assert.deepEqual(shown, path === '/' ? ['inline'] : [], path);
  }
});

test('with forced colors, which have no shadows, lines mark the current page and the review of a link', async () => {
  const { id, date } = (await readDataset(client)).reviews[20]!;
  await using opened = await openPage(`${monthPath(date.slice(0, 7))}#${id}`, {
    forcedColors: 'active',
  });
  const lines = await opened.page.locator('header.site nav a, article.review').evaluateAll((all) =>
    all
      .filter((element) => element.matches('[aria-current], :target'))
      .map((element) => getComputedStyle(element))
      .map(({ borderBottomWidth, outlineStyle }) => [borderBottomWidth, outlineStyle]),
  );
  assert.deepEqual(lines, [
    ['2px', 'none'],
    ['1px', 'solid'],
  ]);
});

test('the footer of a short page is at the bottom of the window', async () => {
  await using opened = await openPage('/404.html', { viewport: { width: 1280, height: 1600 } });
  const { y, height } = (await opened.page.locator('footer.site').boundingBox())!;
  assert.equal(Math.round(y + height), 1600);
});

test('a figure in a table does not touch the words of the next column', async () => {
  await using opened = await openPage('/insights/', { viewport: { width: 768, height: 900 } });
  const gaps = await opened.page
    .locator('td.figure + td:not(.figure)')
    .evaluateAll((cells) =>
      cells.map((cell) => Number.parseFloat(getComputedStyle(cell).paddingLeft)),
    );
  assert.ok(gaps.length > 0 && gaps.every((gap) => gap >= 16), String(gaps[0]));
});
