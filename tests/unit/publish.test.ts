import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBusiness, publishReview } from '../../src/dataset/publish.ts';
import { business, businessRecord } from '../../src/schema/business.ts';
import { review as reviewSchema } from '../../src/schema/review.ts';
import { record, ulidOf } from '../support/reviews.ts';

const MENTIONS = { technicians: ['tom-hale'], services: [] };
const BASE = 'https://reviews.example';
/** Fields of a review that are not in its record. */
const ADDED = { url: `${BASE}/reviews/${ulidOf(1)}/`, verification: 'owner', mentions: MENTIONS };

test('fills in what a record may leave out', () => {
  const least = record({ text: undefined });
  const published = publishReview(least, MENTIONS, BASE);
  assert.deepEqual(published, {
    ...least,
    author_avatar_url: null,
    title: null,
    text: null,
    language: 'en',
    source_url: null,
    owner_reply: null,
    verified: true,
    updated_at: '2026-03-01T00:00:00Z',
    ...ADDED,
  });
  assert.deepEqual(reviewSchema.parse(published), published);
});

test('keeps everything that a record states', () => {
  const full = record({
    author_avatar_url: 'https://a.example/n.png',
    title: 'Dry again',
    language: 'es-MX',
    source_url: 'https://g.example/1',
    owner_reply: { text: 'Thanks!', date: '2026-03-02' },
    updated_at: '2026-04-01T10:20:30Z',
    origin: 'invited',
  });
  const published = publishReview(full, MENTIONS, BASE);
  assert.deepEqual(published, { ...full, ...ADDED });
  assert.deepEqual(reviewSchema.parse(published), published);
});

test('takes the day of the reply as the last change, when no time is stated', () => {
  const replied = record({ owner_reply: { text: 'Thanks!', date: '2026-03-09' } });
  assert.equal(publishReview(replied, MENTIONS, BASE).updated_at, '2026-03-09T00:00:00Z');
});

test('publishes of the business what its schema has, and no setting', () => {
  const own = { name: 'Bistro Ilse', category: 'restaurant', language: 'de', languages: ['en'] };
  const settings = { sidecar: false, solicitation: ['everyone'] };
  const record = businessRecord.parse({ ...own, ...settings });
  const published = publishBusiness(record, BASE);
  assert.deepEqual(business.parse(published), published);
});
