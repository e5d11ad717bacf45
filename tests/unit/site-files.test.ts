import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from '../../src/build/site-files.ts';

test('a file of a site is below the address of the site, whatever its path', () => {
  for (const site of ['https://a.example/our/reviews', 'https://a.example/our/reviews/?x#y']) {
    assert.equal(placeOf(site, '/journal.json'), 'https://a.example/our/reviews/journal.json');
    assert.equal(placeOf(site, 'edition.json'), 'https://a.example/our/reviews/edition.json');
  }
  assert.equal(placeOf('http://127.0.0.1:80', '/feed.xml'), 'http://127.0.0.1/feed.xml');
});

test('no path that a site states leads to another host', () => {
  for (const path of ['//b.example/', 'https://b.example/', '/\\b.example', '@b.example']) {
    assert.equal(new URL(placeOf('https://a.example', path)).host, 'a.example', path);
  }
});
