import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../sidecar/config.ts';
import { ROOT } from '../support/edition.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const others = ['.github/CONTRIBUTING.md', '.github/RELEASING.md', 'SECURITY.md', 'CHANGELOG.md']
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test('every npm script that the texts name exists', () => {
  const named = [...(readme + others).matchAll(/npm (?:run )?([a-z:][a-z:-]*)/g)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'ci');
  assert.ok(named.length > 5);
  for (const name of named) assert.ok(name in scripts, `npm run ${name}`);
});

test('every path that the texts name exists', () => {
  const named = [...(readme + others).matchAll(/`((?:src|sidecar|content|tests)\/[^`\s*<{]*)`/g)];
  const linked = [...readme.matchAll(/\]\((\.?[a-z][^):]*)\)/g)];
  assert.ok(named.length > 10 && linked.length > 1);
  for (const [, path] of [...named, ...linked]) assert.ok(existsSync(join(ROOT, path!)), path);
});

test('the table of settings is that of the sidecar', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| `?([^|`]*)`? +\| (.*?) +\|$/gm)];
  assert.deepEqual(
    rows.map(([, name, fallback, description]) => [name, fallback!.trim(), description]),
    Object.entries(SETTINGS).map(([name, { default: fallback, description }]) => [
      name,
      fallback,
      description,
    ]),
  );
});

test('each MCP client is told the address in the form it reads', () => {
  const [, section] = readme.split('\n## MCP\n');
  const blocks = [...section!.split('\n## ', 1)[0]!.matchAll(/```json\n(.*?)```/gs)];
  const [desktop, cursor, code] = blocks.map(([, text]) => JSON.parse(text!));
  assert.deepEqual(Object.keys(desktop.mcpServers.reviews), ['command', 'args']);
  assert.deepEqual(Object.keys(cursor.mcpServers.reviews), ['url']);
  assert.deepEqual(Object.entries(code.servers.reviews)[0], ['type', 'http']);
  const addresses = [desktop.mcpServers.reviews.args.at(-1), cursor.mcpServers.reviews.url];
  for (const address of [...addresses, code.servers.reviews.url]) {
    assert.equal(new URL(address).pathname, '/mcp');
  }
});
