import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import { replyHabit as habitIn } from '../../src/view/replies.ts';

const replyHabit = (of: Parameters<typeof habitIn>[0]) => habitIn(of, wordingOf());

/** Reviews of a day, each answered after so many days, or never. */
const reviews = (source: string, ...waits: (number | null)[]) =>
  waits.map((days) => ({
    date: '2026-05-01',
    source,
    owner_reply:
      days === null ? null : { date: `2026-05-${String(1 + days).padStart(2, '0')}`, text: 'x' },
  }));

test('the habit names the next share, or the lower of two, as one in so many, and the median wait', () => {
  const third = replyHabit(reviews('google', 2, null, null, 1, null, null, 20, null, null));
  assert.equal(third, 'The business answers 1 in 3, usually within 2 days.');
  assert.match(replyHabit(reviews('google', 1, 3))!, /usually within 1 day\.$/);
  const waits = Array.from({ length: 40 }, (_, index) => (index < 9 ? 1 : null));
  assert.match(replyHabit(reviews('google', ...waits))!, /^The business answers 1 in 5,/);
});

test('platforms without any reply do not count as unanswered', () => {
  const all = [...reviews('google', 0, 0), ...reviews('booking', null, null)];
  assert.equal(replyHabit(all), 'The business answers every review, usually on the same day.');
});

test('the habit calls shares near none few and near all nearly every', () => {
  const habit = (...waits: (number | null)[]) => replyHabit(reviews('google', ...waits))!;
  const few = habit(1, ...Array.from({ length: 40 }, () => null));
  assert.equal(few, 'The business answers few reviews, usually within 1 day.');
  const most = habit(null, ...Array.from({ length: 40 }, () => 1));
  assert.match(most, /^The business answers nearly every review/);
});
