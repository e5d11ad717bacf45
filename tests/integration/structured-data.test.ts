import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLd } from '../../src/view/json-ld.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { nodeOf, readManifest, readPages, structuredData, visibleText } from '../support/pages.ts';

async function firstPage(client: string): Promise<string> {
  return (await readPages(client)).find(({ path }) => path === '/')!.html;
}

test('names the business, and nothing that the page does not show', async () => {
  const client = await sampleEdition();
  const { business } = await readDataset(client);
  const html = await firstPage(client);
  const node = nodeOf(html, 'LocalBusiness');
  const text = visibleText(html);
  assert.equal(node.name, business.name);
  assert.ok(text.includes(node.name as string));
  const { streetAddress, addressLocality } = node.address as Record<string, string>;
  assert.ok(text.includes(streetAddress!) && text.includes(addressLocality!));
  assert.ok(text.includes(node.email as string));
  assert.equal((node.openingHoursSpecification as unknown[]).length, business.hours.length);
});

test('states no rating: a business gets no stars from itself', async () => {
  const client = await sampleEdition();
  for (const { html, path } of await readPages(client)) {
    assert.doesNotMatch(JSON.stringify(structuredData(html)), /aggregateRating|reviewRating/, path);
  }
});

test('the page of a review describes that review and its business, and no other page does', async () => {
  const client = await sampleEdition();
  const { reviews, business } = await readDataset(client);
  const pages = await readPages(client);
  const described = pages.filter(({ html }) => nodeOf(html, 'Review'));
  assert.ok(described.length > 200);
  for (const { html, path } of described) {
    const review = reviews.find(({ url }) => new URL(url).pathname === path)!;
    const node = nodeOf(html, 'Review');
    assert.equal(node.url, review.url);
    assert.equal(node.reviewBody, review.text ?? undefined);
    assert.deepEqual(node.author, { '@type': 'Person', name: review.author });
    assert.equal((node.itemReviewed as { name: string }).name, business.name);
    assert.ok(html.includes(`<link rel="canonical" href="${review.url}">`), path);
  }
});

test('describes the dataset with every file it can be had as', async () => {
  const client = await sampleEdition();
  const { resources, base_url } = await readManifest(client);
  const node = nodeOf(await firstPage(client), 'Dataset');
  const distribution = node.distribution as { contentUrl: string; encodingFormat: string }[];
  assert.equal(distribution.length, 7);
  for (const { contentUrl, encodingFormat } of distribution) {
    const resource = resources.find(({ path }) => base_url + path === contentUrl);
    assert.equal(resource?.type.split(';')[0], encodingFormat, contentUrl);
  }
});

test('no text can end the element', () => {
  const node = { name: '</script><script>alert(1)</script><!--' };
  const json = jsonLd(node);
  assert.doesNotMatch(json, /</);
  assert.deepEqual(JSON.parse(json), node);
});
