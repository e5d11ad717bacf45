import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlight, languageOf } from '../../src/developers/highlight.ts';

test('tokens are the code, with a class for each kind', () => {
  const code = '{\n  "stars": 5, // not JSON\n  "text": "<b>"\n}';
  const tokens = highlight(code, 'json');
  assert.equal(tokens.map(({ text }) => text).join(''), code);
  assert.ok(tokens.some((token) => token.class === 't-string' && token.text.includes('<b>')));
  const command = highlight("curl -s 'https://x.example' # all", 'bash');
  assert.ok(command.some((token) => token.class === 't-comment'));
  assert.deepEqual(highlight('304', 'text'), [{ text: '304', class: undefined }]);
});

test('the language is in the label or the first character', () => {
  assert.equal(languageOf('curl -s', 'Shell'), 'bash');
  assert.equal(languageOf('x', 'subscriber.py, Python 3.9 or later'), 'python');
  assert.equal(languageOf('{}', '.cursor/mcp.json'), 'json');
  assert.equal(languageOf('<?xml', 'Answer'), 'xml');
  assert.equal(languageOf('304', 'Answer'), 'text');
});
