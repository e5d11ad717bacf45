import { daysUntil } from '../base/days.ts';
import type { Review } from '../schema/review.ts';
import type { Wording } from '../messages/wording.ts';

/**
 * Shares that read well as "1 in 3"; each names its count and its total. They ascend: of two that are
 * equally near, the first one counts.
 */
const SHARES = [
  ...[20, 10, 5, 4, 3, 2].map((of) => [1, of] as const),
  ...[3, 4, 5, 10, 20].map((of) => [of - 1, of] as const),
];

/**
 * Describes how the business replies: `The business answers 1 in 3, usually within 2 days.` Counts only reviews of
 * platforms with replies here, because of the others nobody knows which were answered.
 *
 * @returns null without replies
 */
export function replyHabit(
  reviews: readonly Pick<Review, 'date' | 'source' | 'owner_reply'>[],
  words: Wording,
): string | null {
  const answered = reviews.filter(({ owner_reply: reply }) => reply !== null);
  if (answered.length === 0) return null;
  const platforms = new Set(answered.map(({ source }) => source));
  const asked = reviews.filter(({ source }) => platforms.has(source)).length;
  const waits = answered
    .flatMap(({ date, owner_reply: reply }) => (reply?.date ? [daysUntil(date, reply.date)] : []))
    .sort((a, b) => a - b);
  const median = waits[Math.floor((waits.length - 1) / 2)];
  const share = ofReviews(answered.length, asked, words);
  const { t } = words;
  if (median === undefined || waits.length < answered.length / 2)
    return t('replies.share_only', { share });
  const wait = median === 0 ? t('replies.same_day') : t('replies.within', { days: median });
  return t('replies.habit', { share, wait });
}

function ofReviews(part: number, total: number, { t }: Wording): string {
  if (part === total) return t('replies.every');
  const share = part / total;
  const [count, of] = SHARES.toSorted(
    ([a, b], [c, d]) => Math.abs(a / b - share) - Math.abs(c / d - share),
  )[0]!;
  if (share < 0.04) return t('replies.few');
  return share > 0.97 ? t('replies.nearly_every') : t('replies.share', { count, of });
}
