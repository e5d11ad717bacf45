import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPublication } from '../../src/build/publication.ts';
import { readContent } from '../../src/content/read-content.ts';
import { svgIssue } from '../../src/content/svg-picture.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';

const SVG = '<?xml version="1.0"?>\n<!-- A -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test('a logo in the folder is published in the place of one elsewhere', async (context) => {
  const publish = async (logo: Record<string, string | Uint8Array>) =>
    buildPublication(await readContent(await contentFolder(context, logo)), 'https://r.example');
  const without = await publish({});
  const svg = await publish({ 'logo.svg': SVG });
  const png = await publish({ 'logo.png': PNG });
  assert.equal(svg.dataset.business.logo_url, 'https://r.example/logo.svg');
  assert.equal(png.dataset.business.logo_url, 'https://r.example/logo.png');
  assert.notEqual(svg.dataset.edition, without.dataset.edition);
  assert.match(svg.brand.logo!, /^data:image\/svg\+xml;base64,/);
  assert.equal(without.brand.logo, undefined);
});

test('refuses two logos, one that is too large, and what is no picture', async (context) => {
  const large = Buffer.alloc(70_000, PNG);
  const html = '<html><svg></svg></html>';
  for (const [files, issue] of [
    [{ 'logo.svg': SVG, 'logo.png': PNG }, 'png: is there beside logo.svg: keep one of them'],
    [{ 'logo.png': large }, 'png: is larger than 64 KiB: it has 70000 bytes'],
    [{ 'logo.svg': html }, 'svg: is not an SVG picture: save it as plain SVG'],
    [{ 'logo.png': SVG }, 'png: is not a PNG picture'],
  ] as const) {
    assert.deepEqual(await issuesOf(context, files), [`content/logo.${issue}`]);
  }
});

const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const XHTML = 'xmlns:dc="http://www.w3.org/1999/xhtml"';
const svg = (inside: string) => `<svg ${XMLNS}>${inside}</svg>`;
/** Patterns that draw ten times as much as the one before. */
const patterns = (fill: (before: string) => string, inherited = '') =>
  [...'abcdef'].map((id, at) => {
    const before = 'zabcde'[at]!;
    const rects = `<rect ${fill(before)}/>`.repeat(10);
    return `<pattern id="${id}"><g ${inherited.replace('ID', before)}>${rects}</g></pattern>`;
  });
const CLASSES = `.a,.b{color:red} ${'abcdez'.replaceAll(/./g, '.$&{fill:url(#$&)}')}`;
const PLAIN = ': save it as plain SVG';
const PROLOG = `has a document type or an instruction for programs${PLAIN}`;

const REFUSED: [logo: string | Buffer, issue: string | RegExp][] = [
  [svg('<script>alert(1)</script>'), `has <script>, which is no part of a picture${PLAIN}`],
  [svg('<g><rect onclick="alert(1)"/></g>'), /^has the unknown attribute onclick of <rect>/],
  [svg(`<dc:script ${XHTML}>alert(1)</dc:script>`), /^has <dc:script>/],
  [svg('<meta xmlns="http://www.w3.org/1999/xhtml" content="0;url=/"/>'), /^has <meta>/],
  [svg('<a href="java&#115;cript:alert(1)"/>'), /^has <a>/],
  [svg('<image><set attributeName="href" to="https://a.example/"/></image>'), /^has <set>/],
  [svg('<foreignObject/>'), /^has <foreignObject>/],
  [svg('<use href="data:image/svg+xml,x"/>'), /^leads elsewhere in href of <use>/],
  [svg('<image xlink:href="//a.example/a.png"/>'), /^leads elsewhere in xlink:href/],
  [
    svg('<image q:href="/a" xmlns:q="http://www.w3.org/1999/xlink"/>'),
    /^leads elsewhere in q:href/,
  ],
  [svg('<g xml:base="https://a.example/"/>'), /^has the unknown attribute xml:base/],
  [svg('<style>@import "https://a.example/"</style>'), /^loads something in <style>/],
  [svg('<style>@\\69mport "https://a.example/"</style>'), /^loads something in <style>/],
  [svg('<g style="background:image-set(\'/a.png\' 1x)"/>'), /^loads something in style of <g>/],
  [svg('<g fill="url( https://a.example/#b )"/>'), /^loads something in fill of <g>/],
  [svg(patterns((id) => `fill="url(#${id})"`).join('')), `nests or repeats too much${PLAIN}`],
  [
    svg(`<style>${CLASSES}</style>${patterns((id) => `class="${id}"`).join('')}`),
    /^nests or repeats/,
  ],
  [svg(patterns(() => '', 'style="fill:url(#ID)"').join('')), /^nests or repeats/],
  [svg('<use id="a" href="#a"/>'), /^nests or repeats/],
  [svg('<g>'.repeat(200) + '</g>'.repeat(200)), /^nests or repeats/],
  [svg('<g>'.repeat(10_000) + '</g>'.repeat(10_000)), /^is not an SVG picture/],
  [svg('<g>'), 'is not an SVG picture in UTF-8'],
  [`<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${svg('')}`, PROLOG],
  [`<?xml-stylesheet type="text/xsl" href="#x"?>${svg('')}`, PROLOG],
  [`<?xml version="1.0" encoding="UTF-7"?>${svg('+ADw-script/+AD4-')}`, /^is in UTF-7, not/],
  [Buffer.from(`\ufeff${svg('<script/>')}`, 'utf16le'), 'is not an SVG picture in UTF-8'],
];
for (const [logo, issue] of REFUSED) {
  const shown = logo.toString('latin1').replaceAll(/[^ -~]/g, '');
  test(`refuses a logo with ${shown.slice(0, 200)}`, () => {
    const found = svgIssue(Buffer.from(logo));
    if (typeof issue === 'string') assert.equal(found, issue);
    else assert.match(found ?? '', issue);
  });
}

const PNG_INSIDE = `data:image/png;base64,${PNG.toString('base64')}\n  AA==`;
for (const [program, logo] of Object.entries({
  'what Inkscape saves': `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <svg xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:svg="http://www.w3.org/2000/svg"
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
      ${XMLNS} inkscape:version="1.2" version="1.1" viewBox="0 0 9 9">
    <metadata><rdf:RDF><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></rdf:RDF></metadata>
    <defs><linearGradient id="a"><stop style="stop-color:#000" offset="0"/></linearGradient>
    <linearGradient xlink:href="#a" id="b" gradientUnits="userSpaceOnUse"/></defs>
    <g inkscape:label="Layer 1"><path style="fill:url(#b);-inkscape-stroke:none" d="M0 0h9v9z"/></g></svg>`,
  'what Illustrator saves': `<?xml version="1.0" encoding="utf-8"?><!-- Generator -->
    <svg ${XMLNS} x="0px" style="enable-background:new 0 0 9 9;" xml:space="preserve"><style type="text/css">
    .a,.b{fill:url('#g');clip-path:url(#k);font-family:'Open Sans';} @media (prefers-color-scheme:dark){.a{fill:#fff}}
    </style><clipPath id="k"><rect width="9" height="9"/></clipPath><mask id="m"><path class="a"/></mask>
    <linearGradient id="g"><stop offset="0"/></linearGradient><g mask="url(#m)"><path class="b"/></g></svg>`,
  'what Figma saves':
    svg(`<g filter="url(#f)"><rect fill="url(#p)" style="mix-blend-mode:multiply"/></g>
    <defs><pattern id="p" patternContentUnits="objectBoundingBox"><use xlink:href="#i"/></pattern>
    <filter id="f"><feFlood flood-opacity="0" result="x"/><feBlend in="SourceGraphic" in2="x"/></filter>
    <image id="i" data-name="a" aria-label="A" href="${PNG_INSIDE}"/></defs>`),
  'prefixes for everything':
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:rect fill="red"/></svg:svg>',
})) {
  test(`takes a logo that is ${program}`, () => {
    assert.equal(svgIssue(Buffer.from(logo)), undefined);
  });
}
