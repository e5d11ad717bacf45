import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INJECTIONS } from '../attack/injections.ts';
import { foreignMarkup, markupOf } from '../attack/markup.ts';

const TRUSTED = markupOf([
  '<p class="text">a <mark>b</mark></p><input value="c"><a href="/d">e</a><script src="/f.js"></script>',
]);
/** Injections that are no markup by themselves. */
const HARMLESS = new Set(['end of a quoted attribute', 'escaped twice', 'template of a framework']);

const html = Object.entries(INJECTIONS).slice(0, 17);
for (const [name, injection] of html.filter(([name]) => !HARMLESS.has(name))) {
  test(`finds an injection that was not escaped: ${name}`, () => {
    assert.notDeepEqual(foreignMarkup(`<p class="text">${injection}</p>`, TRUSTED), []);
  });
}

test('finds an injection that ends an attribute', () => {
  const injected = `<input value='${INJECTIONS['end of a quoted attribute']}'>`;
  assert.deepEqual(foreignMarkup(injected, TRUSTED), ['input autofocus', 'input onfocus']);
  assert.deepEqual(foreignMarkup('<script src="https://evil.example/"></script>', TRUSTED), [
    '<script src="https://evil.example/">',
  ]);
});

test('finds nothing in what is escaped, or data', () => {
  const page =
    '<p class="text">&lt;script&gt;alert(1)&lt;/script&gt;</p><input value="<!--</script><img src=x>">' +
    '<script src="/f.js">"<img src=x onerror=alert(1)>"</script><a href="/d?x=javascript:1">e</a>';
  assert.deepEqual(foreignMarkup(page, TRUSTED), []);
});
