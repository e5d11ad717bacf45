import { z } from 'zod';

/**
 * Levels of checks that a customer wrote a review, strongest first: a purchase that the platform
 * checked, an account of the platform, the word of the business.
 */
export const verificationLevel = z.enum(['purchase', 'account', 'owner']);
type VerificationLevel = z.infer<typeof verificationLevel>;

/** The statement of a platform about the reviews that it publishes. */
interface PlatformRule {
  level: VerificationLevel;
  /** The thing that can be reviewed once: the place by an account, or each order or stay. */
  once: 'account' | 'order' | 'stay';
  /** The rule in a sentence, which the site publishes. */
  rule: string;
  /** The page on which the platform states it. */
  statedAt: string;
}

/**
 * The platforms whose rules are known. `purchase` only where the platform lets nobody else write;
 * where it checks some purchases, an account is all that holds for each review.
 */
export const PLATFORMS: Readonly<Record<string, PlatformRule>> = {
  google: {
    level: 'account',
    once: 'account',
    rule: 'Written with a signed-in Google account and published on the Google profile of the business. Google does not check that the author was a customer.',
    statedAt: 'https://support.google.com/contributionpolicy/answer/7400114',
  },
  trustpilot: {
    level: 'account',
    once: 'order',
    rule: 'Published on Trustpilot by a registered author, and neither pending nor filtered out there. Trustpilot asks for proof of the experience only when a review is reported.',
    statedAt: 'https://legal.trustpilot.com/for-reviewers/guidelines-for-reviewers',
  },
  yelp: {
    level: 'account',
    once: 'account',
    rule: 'Published on Yelp by a registered author. Yelp does not check that the author was a customer.',
    statedAt: 'https://www.yelp.com/guidelines',
  },
  facebook: {
    level: 'account',
    once: 'account',
    rule: 'Published on the Facebook page of the business by a signed-in account. A recommendation is shown as 5 stars, advice against the business as 1.',
    statedAt: 'https://www.facebook.com/help/548274415377576',
  },
  tripadvisor: {
    level: 'account',
    once: 'account',
    rule: 'Published on Tripadvisor by a registered author after its moderation. Tripadvisor does not check that the author was a customer.',
    statedAt: 'https://www.tripadvisor.com/Trust',
  },
  booking: {
    level: 'purchase',
    once: 'stay',
    rule: 'Published on Booking.com, where only guests who booked there and stayed can write a review.',
    statedAt: 'https://www.booking.com/reviews_guidelines.html',
  },
  'judge-me': {
    level: 'account',
    once: 'order',
    rule: 'Published on Judge.me. Judge.me checks the orders of the shop for most reviews, and lets visitors of the shop write one too.',
    statedAt: 'https://judge.me/transparency',
  },
  yotpo: {
    level: 'account',
    once: 'order',
    rule: 'Published on Yotpo. Yotpo does not require that the author was a customer.',
    statedAt: 'https://www.yotpo.com/review-moderation-policy/',
  },
  okendo: {
    level: 'account',
    once: 'order',
    rule: 'Published on Okendo. Okendo does not require that the author was a customer.',
    statedAt: 'https://okendo.io/trust/',
  },
};

/**
 * Returns how it was checked that a customer wrote a review. If no import brought the review, or the platform
 * is unknown, it is the statement of the business.
 */
export function verificationLevelOf(source: string, isImported: boolean): VerificationLevel {
  return (isImported && PLATFORMS[source]?.level) || 'owner';
}
