import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { headersFile } from '../../src/build/headers-file.ts';
import { DOCUMENT_HEADERS, SECURITY_HEADERS, STRICT_TRANSPORT } from '../../src/http.ts';
import { ROOT } from '../support/fixtures.ts';

const read = (file: string) => readFileSync(join(ROOT, 'sidecar/deploy', file), 'utf8');

// The servers in front pass on what the sidecar states; this one header is theirs, because only
// they know if TLS is spoken.
const STRICT = {
  'nginx.conf': `https "${STRICT_TRANSPORT}";`,
  Caddyfile: `header @secure Strict-Transport-Security ${STRICT_TRANSPORT}\n`,
  'cloudflare/worker.js': `'strict-transport-security', '${STRICT_TRANSPORT}'`,
};

for (const [file, expected] of Object.entries(STRICT)) {
  test(`${file} keeps browsers on https for as long as src/http.ts says`, () => {
    assert.ok(read(file).includes(expected));
  });
}

test('every page but those for frames may be in none, in the file of headers', () => {
  const rules = headersFile(['/', '/faq/', '/embed/', '/reviews/2026-01/'], [], '');
  const framed = rules.split('\n\n').filter((rule) => !rule.includes('x-frame-options: DENY'));
  const paths = framed.map((rule) => rule.split('\n', 1)[0]);
  assert.deepEqual(paths, ['/*', '/_astro/*', '/embed/*']);
});

test('the headers that the CDN of a bucket must add are those of the file of headers', () => {
  const listed = read('README.md').matchAll(/^- `([A-Z][A-Za-z-]+)[:`]/gm);
  const named = [...listed].map(([, name]) => name!.toLowerCase());
  const rules = headersFile(['/'], [], '', { 'content-usage': 'a' });
  const stated = new Set([...rules.matchAll(/^  ([\w-]+):/gm)].map(([, name]) => name!));
  stated.delete('cache-control'); // which a bucket keeps
  assert.ok(stated.size > 4);
  assert.deepEqual(named.sort(), [...stated].sort());
});

test('a request that nginx cannot read gets the headers of src/http.ts', () => {
  const text = read('nginx.conf');
  const { 'content-security-policy': policy } = DOCUMENT_HEADERS;
  for (const [name, value] of Object.entries({
    ...SECURITY_HEADERS,
    'content-security-policy': policy,
  })) {
    assert.ok(text.includes(`add_header ${name} "${value}" always;`), name);
  }
});
