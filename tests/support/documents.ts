import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fixtures.ts';

/** Prose of the sample business, which is data. */
const DATA = /^content\/(?!README\.md$)|^tests\/fixtures\//;
/** Not part of the project. */
const OTHERS = /(^|\/)(node_modules|dist[^/]*)\//;

/** Returns files with their paths, relative to the project's root. */
function read(pattern: string): { path: string; text: string }[] {
  return globSync(pattern, { cwd: ROOT, exclude: (path) => OTHERS.test(`${path}/`) })
    .filter((path) => !DATA.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** The project's documents. */
export const documents = read('{*,.github/*,content/**/*,src/**/*,sidecar/**/*,tests/**/*}.md');

/** The project's programs, tests included. */
export const sources = read('{*,src/**/*,sidecar/**/*,tests/**/*}.{ts,astro,mjs,css}');

/** The programs that GitHub runs. */
export const workflows = read('.github/workflows/*.yml');

/** Returns the text of every doc comment. */
export function docstrings(source: string): string[] {
  return [...source.matchAll(/(?<!\S)\/\*\*([\s\S]*?)\*\//g)].map(([, text]) =>
    withoutMarks(text!),
  );
}

/** Returns the text of every comment: a block, or consecutive lines that begin with `//`. */
export function comments(source: string): string[] {
  const blocks = [...source.matchAll(/(?<!\S)\/\*([\s\S]*?)\*\//g)].map(([, text]) => text!);
  const lines = [...source.matchAll(/(?:(?:^|[ \t])\/\/ .*(?:\n|$)[ \t]*)+/gm)].map(
    ([text]) => text,
  );
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
