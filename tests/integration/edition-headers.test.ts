import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleEdition } from '../support/edition.ts';
import { readManifest } from '../support/pages.ts';

const client = await sampleEdition();
const manifest = await readManifest(client);
const rules = parseRules(await readFile(join(client, '_headers'), 'utf8'));

/** Parses rules: a path on a line of its own, then its headers, indented. */
function parseRules(file: string) {
  const rules: { path: string; headers: Record<string, string> }[] = [];
  for (const line of file.split('\n').filter((each) => each.trim() !== '')) {
    const header = /^ {2}([a-z-]+): (\S.*)$/.exec(line);
    if (header) rules.at(-1)!.headers[header[1]!] = header[2]!;
    else rules.push({ path: line, headers: {} });
  }
  return rules;
}

/** Returns all headers of a path, combined like a static host does. */
function headersOf(path: string): [name: string, value: string][] {
  return rules
    .filter((rule) =>
      new RegExp(`^${rule.path.split('*').map(RegExp.escape).join('.*')}$`).test(path),
    )
    .flatMap(({ headers }) => Object.entries(headers));
}

test('needs fewer than 60 rules of _headers, however many files there are', () => {
  assert.ok(rules.length < 60, `${rules.length} rules`);
  assert.ok(manifest.resources.length > 300);
  assert.ok(rules.every(({ path }) => /^\/[^\s[\]]*$/.test(path)));
});

test('never states a header twice for one path', () => {
  for (const { path } of manifest.resources) {
    const names = headersOf(path).map(([name]) => name);
    assert.deepEqual(names, [...new Set(names)], path);
  }
});

test('states in _headers what edition.json states, for every resource that an endpoint made', () => {
  let checked = 0;
  for (const { path, headers, type } of manifest.resources) {
    const stated: Record<string, string> = {
      ...manifest.header_sets[headers],
      'content-type': type,
    };
    if (stated['access-control-allow-origin'] === undefined) continue;
    checked++;
    if (path.startsWith('/_astro/')) delete stated['content-type']; // hosts know those types
    const found = Object.fromEntries(headersOf(path));
    for (const [name, value] of Object.entries(stated)) {
      // Static hosts say for pages alone, by x-frame-options, that they are in no frame, and have one
      // policy for all, with the code that is in pages.
      assert.equal(
        found[name]?.replaceAll(/ 'sha256-[^']+'/g, ''),
        value.replace("; frame-ancestors 'none'", ''),
        `${name} of ${path}`,
      );
    }
  }
  assert.ok(checked > 100, String(checked));
});

test('tells pages and assets how long they may be kept', () => {
  for (const { path } of manifest.resources) {
    const { 'cache-control': cache } = Object.fromEntries(headersOf(path));
    if (path.startsWith('/_astro/')) assert.match(cache!, /immutable/, path);
    else if (path.endsWith('/')) assert.match(cache!, /max-age=60/, path);
  }
  assert.equal(Object.fromEntries(headersOf('/edition.json'))['cache-control'], 'no-cache');
});

test('keeps browsers on https, and frames, scripts and windows of others out, on every path', () => {
  for (const { path } of manifest.resources) {
    const found = Object.fromEntries(headersOf(path));
    assert.equal(found['strict-transport-security'], 'max-age=31536000', path);
    assert.match(found['content-security-policy']!, /^default-src 'none';/, path);
    assert.equal(found['cross-origin-opener-policy'], 'same-origin', path);
    assert.equal(found['cross-origin-resource-policy'], 'cross-origin', path);
  }
});
