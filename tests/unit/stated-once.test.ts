import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as paths from '../../src/paths.ts';
import { MCP_TOOLS } from '../../src/schema/mcp-catalog.ts';
import { sources } from '../support/documents.ts';

// One name has one meaning, and what several files need is stated in one of them.

const program = sources.filter(({ path }) => /^(src|sidecar)\/.*\.(ts|astro)$/.test(path));

/** Names that Astro gives to the exports of pages and of the middleware. */
const OF_ASTRO = new Set(['GET', 'getStaticPaths', 'onRequest', 'prerender', 'Props']);

/** One idea in two places: a number of things, and text split into words. */
const SHARED = new Set(['count', 'tokenize']);

test('no two files export the same name, and another file reads each', () => {
  const files = new Map<string, string[]>();
  for (const { path, text } of program) {
    for (const [, name] of text.matchAll(
      /^export (?:async )?(?:const|function\*?|class|interface|type) ([\w$]+)/gm,
    )) {
      if (!OF_ASTRO.has(name!)) files.set(name!, [...(files.get(name!) ?? []), path]);
    }
  }
  const twice = [...files].filter(([name, { length }]) => length > 1 && !SHARED.has(name));
  assert.deepEqual(twice, []);
  const words = sources.map(({ text }) => new Set(text.match(/[\w$]+/g)));
  const unread = [...files.keys()].filter(
    (name) => words.filter((one) => one.has(name)).length < 2,
  );
  assert.deepEqual(unread, []);
  assert.ok(files.size > 500);
});

/** Returns each place in the program, outside `home`, that has one of `values` as a string. */
function repeated(values: readonly string[], home: string): string[] {
  return program
    .filter(({ path }) => path !== home)
    .flatMap(({ path, text }) =>
      values
        .filter((value) => [`'${value}'`, `"${value}"`].some((literal) => text.includes(literal)))
        .map((value) => `${path}: ${value}`),
    );
}

test('one file states the paths of the site, and one what the tools of MCP are for', () => {
  const stated = Object.entries(paths).flatMap(([name, value]) =>
    name.endsWith('_PATH') && typeof value === 'string' ? [value] : [],
  );
  assert.ok(stated.length > 30);
  assert.deepEqual(repeated(stated, 'src/paths.ts'), []);
  assert.deepEqual(repeated(Object.values(MCP_TOOLS), 'src/schema/mcp-catalog.ts'), []);
});
