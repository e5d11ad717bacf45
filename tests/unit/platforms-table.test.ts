import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLATFORMS, verificationLevelOf } from '../../src/schema/platforms.ts';

test('each platform states its rule on a page of its own', () => {
  for (const [platform, { rule, statedAt }] of Object.entries(PLATFORMS)) {
    assert.match(rule, /\.$/, platform);
    const { host, protocol } = new URL(statedAt);
    assert.equal(protocol, 'https:');
    assert.ok(host.includes(platform.replace('-me', '.me').split('.')[0]!), host);
  }
});

test('only a platform that lets nobody else write has checked a purchase', () => {
  const checked = Object.keys(PLATFORMS).filter((name) => PLATFORMS[name]!.level === 'purchase');
  assert.deepEqual(checked, ['booking']);
  assert.match(PLATFORMS.booking!.rule, /only guests who booked/);
});

test('the statement of the business is all there is without an import or a known rule', () => {
  assert.equal(verificationLevelOf('booking', true), 'purchase');
  assert.equal(verificationLevelOf('google', true), 'account');
  assert.equal(verificationLevelOf('booking', false), 'owner');
  assert.equal(verificationLevelOf('town-gazette', true), 'owner');
});
