import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLATFORMS, verificationLevelOf } from '../../src/schema/platforms.ts';
import { otherProfiles, platformRatings } from '../../src/view/platforms.ts';

const rated = (source: string, review_count: number) => ({ source, review_count, rating_value: 4 });
const by_source = [rated('google', 9), rated('trustpilot', 4)];
const business = { name: 'Fenwick & Co', address: null };
const writeAt = (same_as: string[], url: string | null = null) => {
  const ratings = platformRatings({ ...business, same_as, url }, { by_source });
  return ratings.map((rating) => `${rating.source} ${rating.writeAt ?? 'nowhere'}`);
};

test('Trustpilot has a form of its own for every business with a site', () => {
  const form = 'https://www.trustpilot.com/evaluate/fenwick.example';
  const profile = 'https://www.trustpilot.com/review/fenwick.example';
  assert.equal(writeAt([], 'https://www.fenwick.example/')[1], `trustpilot ${form}`);
  assert.equal(writeAt([profile])[1], `trustpilot ${form}`);
  assert.equal(writeAt([profile], 'https://other.example/')[1], `trustpilot ${form}`);
  const onGoogle = platformRatings(
    { ...business, same_as: [], url: 'https://fenwick.example/' },
    { by_source: [rated('google', 9)] },
  );
  assert.deepEqual(
    onGoogle.map(({ source }) => source),
    ['google'],
  );
});

test('a profile is where to write a review, and a short address of Google gets its form', () => {
  const form = 'https://g.page/r/abc/review';
  for (const [profile, at] of [
    [form, form],
    ['https://g.page/r/abc', form],
    ['https://g.page/r/abc/', form],
    ['https://maps.app.goo.gl/xyz', 'https://maps.app.goo.gl/xyz'],
  ] as const) {
    assert.deepEqual(writeAt([profile]), [`google ${at}`, 'trustpilot nowhere']);
  }
});

test('platforms that take reviews are listed without one, other sites are not', () => {
  const profiles = ['https://m.yelp.com/biz/fenwick', 'https://www.instagram.com/fenwick'];
  assert.equal(writeAt(profiles)[2], `yelp ${profiles[0]}`);
  assert.deepEqual(otherProfiles({ same_as: profiles }, { by_source }), [profiles[1]]);
});

test('each platform states its rule on a page of its own', () => {
  assert.ok(Object.keys(PLATFORMS).length > 5);
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
