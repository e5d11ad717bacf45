import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
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
  const [paper, card, well] = [colorOf('paper'), colorOf('card'), colorOf('well')];
  assert.deepEqual([paper[0], card[0], well[0]], SURFACES.light);
  assert.deepEqual([paper[1], card[1], well[1]], SURFACES.dark);
  const [accent, accent_dark] = colorOf('link');
  assert.ok(theme.safeParse({ accent, accent_dark }).success);
});

function issuesOfTheme(context: TestContext, theme: object): Promise<string[]> {
  const business = { name: 'A', category: 'b', theme };
  return issuesOf(context, { 'business.json': JSON.stringify(business, null, 2) });
}

test('offers the nearest color that passes, and it passes', async (context) => {
  assert.deepEqual(await issuesOfTheme(context, { accent: '#FF7A00' }), [
    'content/business.json:5: theme.accent: has a contrast of 2.24 on #f1ede4 in the light scheme, ' +
      'and text needs 4.5: the nearest that passes is #ac5200 (was "#ff7a00")',
  ]);
  assert.deepEqual(await issuesOfTheme(context, { accent: '#ac5200' }), []);
  const [dark] = await issuesOfTheme(context, { accent_dark: '#0a5a55' });
  assert.match(dark!, /in the dark scheme/);
});

test('refuses what is no color, and no font', async (context) => {
  const hostile = { accent: 'red; } body { display: none', font: 'Comic Sans' };
  const issues = await issuesOfTheme(context, hostile);
  assert.equal(issues.length, 2);
  assert.match(issues[0]!, /theme\.accent: must be a color like #0a5a55/);
  assert.match(issues[1]!, /theme\.font: must be one of/);
});

test('without a theme there is no style; a light accent has a tone for dark pages', () => {
  assert.equal(themeStyles(theme.parse({})), '');
  const own = themeStyles(theme.parse({ accent: '#1a237e' }));
  const [, dark] = /--link: light-dark\(#1a237e, (#[0-9a-f]{6})\);/.exec(own)!;
  assert.ok(leastContrast(dark!, SURFACES.dark).ratio >= 8);
  const sans = themeStyles(theme.parse({ font: 'sans' }));
  assert.equal(sans, ':root {\n  --serif: var(--sans);\n}\n');
});
