import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BuildParts } from '../../src/build/build-parts.ts';

test('a build of more than ten seconds says what took the time', () => {
  let now = 5_000;
  const parts = new BuildParts(() => now);
  now += 2_400;
  parts.end('reading');
  now += 7_000;
  parts.end('pages');
  assert.equal(parts.describe(), '9 s');
  now += 3_000;
  parts.end('compressing');
  assert.equal(parts.describe(), '12 s (reading 2, pages 7, compressing 3)');
});
