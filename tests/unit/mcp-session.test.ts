import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { secretOf } from '../../sidecar/base/data-dir.ts';
import { SESSION_TTL, Sessions } from '../../sidecar/mcp/access.ts';
import { quiet, recorder } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';

const SECRET = 'one of sixteen or more';
const NOW = 1_800_000_000;

test('a session is good for servers with its secret alone, until it expires', () => {
  let now = NOW;
  const serverWith = (secret: string) => new Sessions(secret, () => now);
  const id = serverWith(SECRET).issue('2025-06-18');
  now = NOW + SESSION_TTL - 1;
  assert.ok(serverWith(SECRET).isLive(id));
  assert.ok(!serverWith(`${SECRET}.`).isLive(id));
  now++;
  assert.ok(!serverWith(SECRET).isLive(id));
});

test('no character of an id can be another', () => {
  const sessions = new Sessions(SECRET, () => NOW);
  const id = sessions.issue('2025-06-18');
  for (let at = 0; at < id.length; at++) {
    for (const other of 'AB.-_') {
      if (id[at] === other) continue;
      assert.ok(!sessions.isLive(id.slice(0, at) + other + id.slice(at + 1)), `${at} ${other}`);
    }
  }
});

test('ended sessions are remembered up to a bound, the last ended longest', () => {
  const sessions = new Sessions(SECRET, () => NOW);
  const ids = Array.from({ length: 10_001 }, () => sessions.issue('2025-06-18'));
  for (const id of ids) sessions.end(id);
  assert.ok(sessions.isLive(ids[0]!));
  assert.ok(ids.slice(1).every((id) => !sessions.isLive(id)));
});

const settings = (DATA_DIR: string) => ({ MCP_SECRET: '', DATABASE_URL: '', DATA_DIR });
const secretIn = (folder: string, set = {}, logger = quiet) =>
  secretOf('MCP_SECRET', { ...settings(folder), ...set }, logger);

test('the secret is a file of its own that a restart finds again', async (context) => {
  const folder = join(await temporaryFolder(context), 'data');
  const secret = await secretIn(folder);
  assert.match(secret, /^[\w-]{43}$/);
  assert.equal(await secretIn(folder), secret);
  const file = join(folder, 'mcp-secret');
  assert.equal(await readFile(file, 'utf8'), secret);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.notEqual(await secretIn(await temporaryFolder(context)), secret);
});

test('an empty secret file, or one cut short, is no secret: it is kept aside, and the log says so', async (context) => {
  for (const left of ['', 'short']) {
    const folder = await temporaryFolder(context);
    const { logger, lines } = recorder('warn');
    await writeFile(join(folder, 'mcp-secret'), left);
    const secret = await secretIn(folder, {}, logger);
    assert.match(secret, /^[\w-]{43}$/);
    assert.equal(await secretIn(folder, {}, logger), secret);
    assert.equal(await readFile(join(folder, 'mcp-secret.cut-off'), 'utf8'), left);
    const [line, ...others] = lines;
    assert.match(line!.message, /a secret was cut off .*: restore its file from a backup/);
    assert.deepEqual([line!.file, others], [join(folder, 'mcp-secret'), []]);
  }
});

test('a secret that is set is used and not written down, and with a database it must be set', async (context) => {
  const folder = await temporaryFolder(context);
  const shared = { DATABASE_URL: 'postgres://db.example/hub' };
  await assert.rejects(secretIn(folder, shared), /MCP_SECRET: must be set with DATABASE_URL/);
  for (const set of [{}, shared]) {
    assert.equal(await secretIn(folder, { ...set, MCP_SECRET: SECRET }), SECRET);
  }
  await assert.rejects(readFile(join(folder, 'mcp-secret')), { code: 'ENOENT' });
});

test('a secret file that cannot be read stops the start', async (context) => {
  const folder = await temporaryFolder(context);
  await mkdir(join(folder, 'mcp-secret'));
  await assert.rejects(secretIn(folder), { code: 'EISDIR' });
  await writeFile(join(folder, 'file'), '');
  await assert.rejects(secretIn(join(folder, 'file')), { code: 'ENOTDIR' });
});
