import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectTarget } from '../../src/edition/untrusted-origin.ts';

test('a redirect keeps the password for its origin alone', () => {
  const from = new URL('http://user:secret@a.example/x');
  assert.equal(redirectTarget(from, '/y').href, 'http://user:secret@a.example/y');
  assert.equal(redirectTarget(from, 'https://a.example/y').href, 'https://a.example/y');
  for (const other of [
    'http://b.example/',
    'ftp://a.example/',
    'http://a.example:81/',
    'http://[',
  ]) {
    assert.throws(() => redirectTarget(from, other), /which is not followed/);
  }
});
