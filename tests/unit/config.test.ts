import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig, SETTINGS } from '../../sidecar/base/config.ts';

test('left out and empty are the default', () => {
  assert.deepEqual(readConfig({ PORT: '', HOST: '' }), readConfig({}));
  assert.equal(readConfig({}).PORT, 4321);
  assert.equal(readConfig({}).METRICS_PORT, undefined);
});

test('a blank around a value does not count, except in a secret', () => {
  const padded = { PORT: '8080\r', DATA_DIR: ' /data\n', LOG_LEVEL: 'warn ', EDITION: ' \n' };
  const { PORT, DATA_DIR, LOG_LEVEL, EDITION } = readConfig(padded);
  assert.deepEqual([PORT, DATA_DIR, LOG_LEVEL], [8080, '/data', 'warn']);
  assert.equal(EDITION, SETTINGS.EDITION.default);
  const HUB_KEY = 'sixteen letters \n';
  assert.equal(readConfig({ HUB_KEY }).HUB_KEY, HUB_KEY);
});

test('EDITION is a folder or an http(s) address', () => {
  for (const edition of ['/srv/reviews', 'https://cdn.example/a', 'http://[::1]:8']) {
    assert.equal(readConfig({ EDITION: edition }).EDITION, edition);
  }
  for (const edition of ['https://', 'http:///path', 'ftp://cdn.example/a', 's3://bucket']) {
    assert.throws(() => readConfig({ EDITION: edition }), /EDITION: must be/);
  }
});

test('TRUST_PROXY is off, on, loopback or addresses, in whatever form they are written', () => {
  const meaningOf = (text: string) => readConfig({ TRUST_PROXY: text }).TRUST_PROXY;
  assert.deepEqual(['off', 'ON', 'Loopback'].map(meaningOf), [false, true, 'loopback']);
  assert.deepEqual(meaningOf('10.0.0.1, FD00:0::1'), ['10.0.0.1', 'fd00::1']);
  for (const text of ['yes', 'abc', '1.2.3', '10.0.0.0/8', '10.0.0.1,']) {
    assert.throws(() => meaningOf(text), /TRUST_PROXY: must be/, text);
  }
});

test('MCP_ALLOWED_ORIGINS and MCP_ALLOWED_HOSTS are lists, and MCP_SECRET is long', () => {
  const origins = readConfig({ MCP_ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000' });
  assert.deepEqual(origins.MCP_ALLOWED_ORIGINS, ['https://a.example', 'http://localhost:3000']);
  const hosts = readConfig({ MCP_ALLOWED_HOSTS: 'a.example,[::1]' });
  assert.deepEqual(hosts.MCP_ALLOWED_HOSTS, ['a.example', '[::1]']);
  for (const [name, values] of Object.entries({
    MCP_ALLOWED_ORIGINS: ['a.example', 'https://a.example/', 'https://a.example,'],
    MCP_ALLOWED_HOSTS: ['https://a.example', 'a.example:443'],
    MCP_SECRET: ['short'],
  })) {
    for (const value of values) {
      assert.throws(() => readConfig({ [name]: value }), new RegExp(`^Error: .*\n${name}: must `));
    }
  }
});

test('a bad setting is repeated without a password that it carries', () => {
  const refused = () => readConfig({ PORT: 'postgres://user:hunter2@db/reviews' });
  assert.throws(refused, /^(?![^]*hunter2)[^]*PORT: .* \(was postgres:\/\/db\/reviews\)/);
});

test('every setting that is a secret by its name is one that is never repeated', () => {
  const settings = Object.entries<{ secret?: true }>(SETTINGS);
  const secrets = settings.filter(([name]) => /SECRET|PASSWORD|TOKEN|(?<!PUBLIC_)KEY/.test(name));
  assert.ok(secrets.length > 1);
  for (const [name, { secret }] of secrets) assert.equal(secret, true, name);
});

test('DATABASE_URL is a PostgreSQL address, and is never repeated', () => {
  for (const url of [
    'postgres://user:pass@db.example:5432/hub',
    'postgresql://db/hub?sslmode=require',
    'postgres:///hub?host=/var/run/postgresql',
    'postgres://user@/hub?host=/var/run/postgresql',
    'postgres://[::1]:5432/hub',
  ]) {
    assert.equal(readConfig({ DATABASE_URL: url }).DATABASE_URL, url);
  }
  for (const url of [
    'mysql://hunter2@db/hub',
    'garbage-hunter2',
    'postgres:hunter2',
    'postgres://u:hunter2@[bad/db',
    'postgres://u:hunter2@db:99999/hub',
    ' postgres://u:hunter2@db/hub',
  ]) {
    const unrepeated = /^(?![^]*hunter2)[^]*DATABASE_URL: must be a postgres:/;
    assert.throws(() => readConfig({ DATABASE_URL: url }), unrepeated, url);
  }
});

test('every number of seconds or milliseconds fits a timer', () => {
  const longest = 2 ** 31 - 1;
  const names = Object.keys(SETTINGS).filter((name) => /_(SECONDS|MS)$/.test(name));
  assert.ok(names.length > 1);
  for (const name of names) {
    const unit = name.endsWith('_SECONDS') ? 1000 : 1;
    const tooLong = String(Math.ceil(longest / unit));
    for (const value of [tooLong, `${tooLong},1`, `1,${tooLong}`, '9'.repeat(400)]) {
      assert.throws(() => readConfig({ [name]: value }), new RegExp(`${name}: must `), value);
    }
  }
});
