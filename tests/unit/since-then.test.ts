import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shiftDay } from '../../src/base/days.ts';
import { endsOfCriticism } from '../../src/dataset/since-then.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';

/** Returns the end of criticism in mentions from the oldest, a day each: `-` is critical, `+` is not. */
function endOf(mentions: string) {
  const reviews = [...mentions].map((_, day) => {
    return { id: String(day), date: shiftDay('2026-01-01', day) };
  });
  const labels = [...mentions].map((side) => {
    return { aspects: [{ id: 'price', sentiment: side === '-' ? 'negative' : 'positive' }] };
  });
  const perReview = { ...labels } as unknown as InsightsDataset['per_review'];
  return endsOfCriticism(reviews.toReversed(), perReview).get('price');
}

test('criticism ended if eight mentions or more since are without it, beyond accident', () => {
  const end = { last: '2026-01-08', before: 8, critical: 6, after: 8 };
  assert.deepEqual(endOf('-+---+--++++++++'), end);
});

test('nothing is claimed from fewer mentions, or from an order that accident makes', () => {
  const unclear = ['--------+++++++', '-------++++++++', '++++++--++++++++', '++++++++', ''];
  for (const mentions of unclear) assert.equal(endOf(mentions), undefined, mentions);
});
