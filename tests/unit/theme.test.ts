import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { contrast, leastContrast } from '../../src/schema/contrast.ts';
import { SURFACES, theme, themeStyles } from '../../src/schema/theme.ts';
import { issuesOf } from '../support/content-folder.ts';
import { ROOT } from '../support/fixtures.ts';

const styles = await readFile(join(ROOT, 'src/layouts/tokens.css'), 'utf8');

/** Returns a color of the style sheet, as `[light, dark]`. */
function colorOf(name: string): string[] {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((\\S+), (\\S+)\\)`).exec(styles)!;
  return [light!, dark!].map((color) => color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'));
}

test('contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#0a5a55', '#0a5a55'), 1);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
});

test('the surfaces are those of the style sheet, and its own accent passes on them', () => {
  const surfaces = ['paper', 'card', 'well'].map(colorOf);
  assert.deepEqual(
    surfaces.map(([light]) => light),
    SURFACES.light,
  );
  assert.deepEqual(
    surfaces.map(([, dark]) => dark),
    SURFACES.dark,
  );
  const [accent, accent_dark] = colorOf('link');
  assert.ok(theme.safeParse({ accent, accent_dark }).success);
});

test('offers the nearest color that passes, and it passes', async (context) => {
  const business = (own: object) =>
    JSON.stringify({ name: 'A', category: 'b', theme: own }, null, 2);
  assert.deepEqual(await issuesOf(context, { 'business.json': business({ accent: '#FF7A00' }) }), [
    'content/business.json:5: theme.accent: has a contrast of 2.24 on #f1ede4 in the light scheme, ' +
      'and text needs 4.5: the nearest that passes is #ac5200 (was "#ff7a00")',
  ]);
  assert.deepEqual(
    await issuesOf(context, { 'business.json': business({ accent: '#ac5200' }) }),
    [],
  );
  const dark = business({ accent_dark: '#0a5a55' });
  assert.match((await issuesOf(context, { 'business.json': dark })).join(), /in the dark scheme/);
});

test('refuses what is no color, and no font', async (context) => {
  const business = JSON.stringify({
    name: 'A',
    category: 'b',
    theme: { accent: 'red; } body { display: none', font: 'Comic Sans' },
  });
  const issues = await issuesOf(context, { 'business.json': business });
  assert.equal(issues.length, 2);
  assert.match(issues[0]!, /theme\.accent: must be a color like #0a5a55/);
  assert.match(issues[1]!, /theme\.font: must be one of/);
});

test('without a theme there is no style; a light accent has a tone for dark pages', () => {
  assert.equal(themeStyles(theme.parse({})), '');
  const own = themeStyles(theme.parse({ accent: '#1a237e' }));
  const [, dark] = /--link: light-dark\(#1a237e, (#[0-9a-f]{6})\);/.exec(own)!;
  assert.ok(leastContrast(dark!, SURFACES.dark).ratio >= 8);
  assert.match(
    themeStyles(theme.parse({ font: 'sans' })),
    /^:root \{\n {2}--serif: var\(--sans\);\n\}\n$/,
  );
});
