import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fixtures.ts';

/** Prose of the sample business, which is data. */
const DATA = /^content\/(?!README\.md$)|^tests\/fixtures\//;
/** Not part of the project. */
const OTHERS = /(^|\/)(node_modules|dist(\.[^/]*)?)\//;

/** Returns files, at least so many, with their paths, relative to the project's root. */
function read(pattern: string, least: number): { path: string; text: string }[] {
  const found = globSync(pattern, { cwd: ROOT, exclude: (path) => OTHERS.test(`${path}/`) })
    .filter((path) => !DATA.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  assert.ok(found.length >= least, `${pattern}: ${found.length} files`);
  return found;
}

/** The project's documents. */
export const documents = read('{*,.github/*,content/**/*,src/**/*,sidecar/**/*,tests/**/*}.md', 18);

/** The project's programs, tests included. */
export const sources = read('{*,src/**/*,sidecar/**/*,tests/**/*}.{ts,astro,mjs,css}', 700);

/** The programs that GitHub runs. */
export const workflows = read('.github/workflows/*.yml', 4);

/** Returns the words of the program and its paths, without documents and comments, in lower case. */
export function programWords(): Set<string> {
  const rest = '{*,{.github,public,sidecar,src}/**/*}.{js,json,py,sh,tsv,yaml,yml,conf,service}';
  const others = [...read(rest, 20), ...read('sidecar/**/{*file,_*}', 3)];
  const plain = [...sources, ...others].flatMap(({ path, text }) => [
    path,
    path.endsWith('.test.ts') ? '' : text.replaceAll(BLOCK, '').replaceAll(LINES, ''),
  ]);
  return new Set(plain.flatMap((text) => text.toLowerCase().match(/\w+(?:-+\w+)*|\w+/g) ?? []));
}

const BLOCK = /(?<!\S)\/\*([\s\S]*?)\*\//g;
const LINES = /(?:(?:^|[ \t])\/\/ .*(?:\n|$)[ \t]*)+/gm;

/** Returns the text of every doc comment. */
export function docstrings(source: string): string[] {
  return [...source.matchAll(/(?<!\S)\/\*\*([\s\S]*?)\*\//g)].map(([, text]) =>
    withoutMarks(text!),
  );
}

/** Returns the text of every comment: a block, or consecutive lines that begin with `//`. */
export function comments(source: string): string[] {
  const blocks = [...source.matchAll(BLOCK)].map(([, text]) => text!);
  const lines = [...source.matchAll(LINES)].map(([text]) => text);
  return [...blocks, ...lines].map(withoutMarks);
}

/** Returns the name of every test, as written: with its escapes and the `${…}` of templates. */
export function testNames(source: string): string[] {
  return [...source.matchAll(/\btest\(\s*(['`"])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , name]) => name!,
  );
}

function withoutMarks(comment: string): string {
  return comment.replace(/^\s*(\*|\/\/) ?/gm, '').trim();
}
