import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPublication } from '../../src/build/publication.ts';
import { readContent } from '../../src/content/read-content.ts';
import { licenseOf } from '../../src/dataset/publish.ts';
import { OPERATIONS } from '../../src/resources/catalogue.ts';
import { buildAtomFeed } from '../../src/resources/atom.ts';
import { buildJsonFeed } from '../../src/resources/json-feed.ts';
import { dataset as datasetNode } from '../../src/view/json-ld.ts';
import { openApiDocument } from '../../src/resources/openapi/document.ts';
import { llmsText } from '../../src/resources/llms.ts';
import { businessRecord } from '../../src/schema/business.ts';
import { licenseLines } from '../../src/resources/license.ts';
import { contentUsage, DATA_LICENSES, dataLicense, NO_LICENSE } from '../../src/schema/license.ts';
import { VALID_CONTENT } from '../support/content-folder.ts';

const SITE = 'https://reviews.example';
const BUSINESS = { name: 'Fenwick Drains', category: 'drain cleaning' };

/** Reads a business.json of these fields. */
const licensed = (fields: object) => licenseOf(businessRecord.parse({ ...BUSINESS, ...fields }));

test('a license is an SPDX id for data, an address, or none: then the rights stay with the authors', () => {
  for (const [id, url] of Object.entries(DATA_LICENSES)) {
    const license = licensed({ data_license: id });
    assert.deepEqual([license.id, license.url], [id, url]);
    assert.match(license.terms, new RegExp(`^Licensed under ${id} `));
    assert.deepEqual(dataLicense.parse(license), license);
  }
  const address = 'https://fenwick.example/terms';
  const own = licensed({ data_license: address, data_attribution: 'Fenwick' });
  assert.deepEqual([own.id, own.url, own.attribution], [null, address, 'Fenwick']);
  assert.match(own.terms, /; credit: Fenwick\.$/);
  for (const name of ['MIT', 'cc-by-4.0', 'toString', 'javascript:alert(1)', '']) {
    assert.throws(() => licensed({ data_license: name }), /data_license/, name);
  }
  assert.deepEqual(licensed({}), NO_LICENSE);
  assert.equal(NO_LICENSE.terms, 'All rights reserved by their authors; facts may be quoted.');
});

test('structured data, feeds, llms.txt and OpenAPI state the license', async () => {
  const content = await readContent(VALID_CONTENT);
  const terms = { data_license: 'CC-BY-4.0', data_attribution: 'Fenwick & Sons' };
  const license = licensed(terms);
  const business = { ...content.business, ...terms };
  const source = buildPublication({ ...content, business }, SITE);
  assert.deepEqual(buildJsonFeed(source)._license, license);
  const jsonLd = datasetNode(source.dataset, SITE);
  assert.equal(jsonLd.license, DATA_LICENSES['CC-BY-4.0']);
  assert.equal(jsonLd.creditText, 'Fenwick & Sons');
  assert.equal(jsonLd.copyrightNotice, undefined);
  const atom = buildAtomFeed(source);
  assert.match(atom, /<rights>Licensed under CC-BY-4\.0 .*credit: Fenwick &amp; Sons\.<\/rights>/);
  assert.ok(atom.includes(`<link rel="license" href="${license.url}"/>`));
  assert.ok(llmsText(source, OPERATIONS).includes(`${license.terms} ${license.url}\n`));
  const { description } = openApiDocument(source, OPERATIONS).info;
  assert.ok(description.endsWith(`The data: ${license.terms} <${license.url}>`));
});

test('robots.txt names no use that a license may not permit', () => {
  const of = (data_license: string | null) => licenseOf({ data_license, data_attribution: null });
  const lines = (id: string | null) => licenseLines(of(id), 'https://a.example');
  assert.deepEqual(lines(null), []);
  assert.match(lines('CC0-1.0').join(), /ai-train=yes.*https:\/\/a\.example\/license\.xml/);
  const usage = [null, 'CC0-1.0', 'CC-BY-NC-4.0'].map((id) => contentUsage(of(id)));
  assert.deepEqual(usage, [undefined, 'search=y, train-ai=y', 'search=y']);
  for (const limited of ['CC-BY-NC-4.0', 'CC-BY-ND-4.0', 'https://a.example/terms']) {
    assert.deepEqual(lines(limited), ['Content-Signal: search=yes']);
  }
});
