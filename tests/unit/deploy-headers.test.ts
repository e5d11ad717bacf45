import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CACHE_DATA,
  CACHE_IMMUTABLE,
  CORS_HEADERS,
  DOCUMENT_HEADERS,
  SECURITY_HEADERS,
  STRICT_TRANSPORT,
  topicLinks,
} from '../../src/http.ts';
import { TOPIC_PATHS } from '../../src/paths.ts';
import { ROOT } from '../support/fixtures.ts';

// The servers in front repeat headers by hand: every value must be the one that src/http.ts states.

const FIXED: Record<string, string> = { ...SECURITY_HEADERS, ...DOCUMENT_HEADERS, ...CORS_HEADERS };

const STATED: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.entries(FIXED).map(([name, value]) => [name, [value]])),
  'cache-control': [CACHE_DATA, CACHE_IMMUTABLE, 'no-store'],
  'strict-transport-security': [STRICT_TRANSPORT],
  link: TOPIC_PATHS.map((path) => topicLinks('{$SITE_URL}', path)),
};

const VALUE = String.raw`("[^"]*"|\`[^\`]*\`|[^\s"\`]+)`;

/** A name and a value on a line, as each server writes them. */
const HEADER_LINES = {
  Caddyfile: new RegExp(
    String.raw`^\s*(?:header\s+(?:[@/]\S+\s+)?)?([A-Z][\w-]+)\s+${VALUE}$`,
    'gm',
  ),
  'nginx.conf': new RegExp(String.raw`^\s*add_header\s+([\w-]+)\s+${VALUE}`, 'gm'),
};

async function headersOf(file: keyof typeof HEADER_LINES): Promise<[string, string][]> {
  const text = await readFile(join(ROOT, 'sidecar/deploy', file), 'utf8');
  return [...text.matchAll(HEADER_LINES[file])]
    .map(([, name, value]): [string, string] => [
      name!.toLowerCase(),
      value!.replace(/^(["`])(.*)\1$/, '$2'),
    ])
    .filter(([name, value]) => Object.hasOwn(STATED, name) && !value.startsWith('$'));
}

for (const file of Object.keys(HEADER_LINES) as (keyof typeof HEADER_LINES)[]) {
  test(`${file} sends the headers of src/http.ts, word for word`, async () => {
    const found = await headersOf(file);
    for (const [name, value] of found) {
      assert.ok(STATED[name]!.includes(value), `${name}: ${value}`);
    }
    const names = new Set(found.map(([name]) => name));
    for (const name of Object.keys(SECURITY_HEADERS)) assert.ok(names.has(name), name);
  });
}

test('Caddy sends every header of a document, of data and of a topic', async () => {
  const found = await headersOf('Caddyfile');
  for (const [name, values] of Object.entries(STATED)) {
    const sent = found.filter(([other]) => other === name).map(([, value]) => value);
    const expected = name === 'cache-control' ? [CACHE_DATA, CACHE_IMMUTABLE] : values;
    assert.deepEqual(sent.toSorted(), expected.toSorted(), name);
  }
});

const STRICT = {
  'nginx.conf': `https "${STRICT_TRANSPORT}";`,
  'cloudflare/worker.js': `'strict-transport-security', '${STRICT_TRANSPORT}'`,
};

for (const [file, expected] of Object.entries(STRICT)) {
  test(`${file} keeps browsers on https for as long as the sidecar does`, async () => {
    const text = await readFile(join(ROOT, 'sidecar/deploy', file), 'utf8');
    assert.ok(text.includes(expected));
  });
}
