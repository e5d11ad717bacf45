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

test('the statement of the business is all there is without an import or a known rule', () => {
  assert.equal(verificationLevelOf('booking', true), 'purchase');
  assert.equal(verificationLevelOf('google', true), 'account');
  assert.equal(verificationLevelOf('booking', false), 'owner');
  assert.equal(verificationLevelOf('town-gazette', true), 'owner');
});
