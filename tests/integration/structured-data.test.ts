import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { nodeOf, readManifest, readPages, structuredData, visibleText } from '../support/pages.ts';

const client = await sampleEdition();
const pages = await readPages(client);
const { reviews, business } = await readDataset(client);
const home = pages.find(({ path }) => path === '/')!.html;

test('names the business, and nothing that the page does not show', () => {
  const node = nodeOf(home, 'LocalBusiness');
  const text = visibleText(home);
  assert.equal(node.name, business.name);
  assert.ok(text.includes(node.name as string));
  const { streetAddress, addressLocality } = node.address as Record<string, string>;
  assert.ok(text.includes(streetAddress!) && text.includes(addressLocality!));
  assert.ok(text.includes(node.email as string));
  assert.equal((node.openingHoursSpecification as unknown[]).length, business.hours.length);
});

test('states no rating: a business gets no stars from itself', () => {
  for (const { html, path } of pages) {
    assert.doesNotMatch(JSON.stringify(structuredData(html)), /aggregateRating|reviewRating/, path);
  }
});

test('the page of a review describes that review and its business, and no other page does', () => {
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
  const { resources, base_url } = await readManifest(client);
  const node = nodeOf(home, 'Dataset');
  const distribution = node.distribution as { contentUrl: string; encodingFormat: string }[];
  assert.equal(distribution.length, 7);
  for (const { contentUrl, encodingFormat } of distribution) {
    const resource = resources.find(({ path }) => base_url + path === contentUrl);
    assert.equal(resource?.type.split(';')[0], encodingFormat, contentUrl);
  }
});
