import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPublication } from '../../src/build/publication.ts';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';

const SVG = '<?xml version="1.0"?>\n<!-- A -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test('a logo in the folder is published in the place of one elsewhere', async (context) => {
  const publish = async (logo: Record<string, string | Uint8Array>) =>
    buildPublication(await readContent(await contentFolder(context, logo)), 'https://r.example');
  const [without, svg, png] = [
    await publish({}),
    await publish({ 'logo.svg': SVG }),
    await publish({ 'logo.png': PNG }),
  ];
  assert.equal(svg.dataset.business.logo_url, 'https://r.example/logo.svg');
  assert.equal(png.dataset.business.logo_url, 'https://r.example/logo.png');
  assert.notEqual(svg.dataset.edition, without.dataset.edition);
  assert.match(svg.brand.logo!, /^data:image\/svg\+xml;base64,/);
  assert.equal(without.brand.logo, undefined);
});

test('refuses two logos, one that is too large, and what is no picture', async (context) => {
  assert.deepEqual(await issuesOf(context, { 'logo.svg': SVG, 'logo.png': PNG }), [
    'content/logo.png: is there beside logo.svg: keep one of them',
  ]);
  assert.deepEqual(await issuesOf(context, { 'logo.png': Buffer.alloc(70_000, PNG) }), [
    'content/logo.png: is larger than 64 KiB (was 70000)',
  ]);
  assert.deepEqual(await issuesOf(context, { 'logo.svg': '<html><svg></svg></html>' }), [
    'content/logo.svg: is not an SVG picture',
  ]);
  assert.deepEqual(await issuesOf(context, { 'logo.png': SVG }), [
    'content/logo.png: is not a PNG picture',
  ]);
});

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const SCRIPT = 'has a script: save it as a picture alone';
for (const [inside, issue] of [
  ['<script>alert(1)</script>', SCRIPT],
  ['<g><rect onclick="alert(1)"/></g>', SCRIPT],
  ['<a href="java&#115;cript:alert(1)"/>', SCRIPT],
  ['<use href="data:text/html,x"/>', SCRIPT],
  ['<foreignObject/>', SCRIPT],
  ['<g>', 'is not an SVG picture'],
] as const) {
  test(`refuses a logo with ${inside}`, async (context) => {
    const logo = `<svg ${XMLNS}>${inside}</svg>`;
    assert.deepEqual(await issuesOf(context, { 'logo.svg': logo }), [`content/logo.svg: ${issue}`]);
  });
}

test('refuses a logo with entities or a style sheet for XML', async (context) => {
  const entities = `<!DOCTYPE svg [<!ENTITY a "<script/>">]><svg ${XMLNS}>&a;</svg>`;
  assert.deepEqual(await issuesOf(context, { 'logo.svg': entities }), [
    'content/logo.svg: declares entities: save it as plain SVG',
  ]);
  const styled = `<?xml-stylesheet type="text/xsl" href="#x"?><svg ${XMLNS}/>`;
  assert.deepEqual(await issuesOf(context, { 'logo.svg': styled }), [
    `content/logo.svg: ${SCRIPT}`,
  ]);
});
