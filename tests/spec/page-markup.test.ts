import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachTarget } from '../support/targets.ts';
import { htmlErrors } from '../support/validate-html.ts';

// The search page is valid HTML for any request.

const PATHS = [
  '/search/',
  '/search/?query=water&mentions_technician=Nobody',
  '/search/?rating=9&min_rating=many&since=2026-02-30&limit=0',
];

forEachTarget((target) => {
  for (const path of PATHS) {
    test(`${path} is valid HTML`, async () => {
      assert.deepEqual(await htmlErrors(await (await target.fetch(path)).text()), []);
    });
  }
});
