import type { FaqEntry } from '../../schema/faq.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import type { Passages } from '../analyze/review-reader.ts';
import { readsAlone } from './quotes.ts';

type Answer = InsightsDataset['faq'][number];

/** Questions with fewer reviews on them are left out. */
const MIN_EVIDENCE = 3;
const QUOTES = 4;

/**
 * Returns the questions of content/faq and of the trade pack, each with every review on it, newest
 * first. Counts answer the questions of the pack.
 */
export function answerFaq(
  faq: readonly FaqEntry[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  passagesOf: (reviewId: string, faqId: string) => Passages,
): Answer[] {
  return faq
    .map(({ id, question, answer, evidence }) => {
      const ids = reviews
        .map((review) => review.id)
        .filter((reviewId) => isEvidence(evidence, perReview[reviewId]!));
      return {
        id,
        question,
        answer:
          answer ?? countedAnswer(ids.map((reviewId) => verdict(evidence, perReview[reviewId]!))),
        counted: answer === null,
        evidence_count: ids.length,
        evidence_review_ids: ids,
        evidence,
        quotes: pickQuotes(
          ids.flatMap(
            (reviewId) =>
              candidate(reviewId, evidence, perReview[reviewId]!, passagesOf(reviewId, id)) ?? [],
          ),
        ),
      };
    })
    .filter(({ evidence_count }) => evidence_count >= MIN_EVIDENCE);
}

function countedAnswer(verdicts: readonly Sentiment[]): string {
  const count = (sentiment: Sentiment) => verdicts.filter((one) => one === sentiment).length;
  return (
    `${verdicts.length} reviews mention it: ` +
    `${count('positive')} favorably, ${count('negative')} critically.`
  );
}

/** Returns the sentiment of a review on a question: of its clearest aspect, else of its stars. */
function verdict(evidence: FaqEntry['evidence'], labels: PerReview): Sentiment {
  return clearestAspect(evidence, labels.aspects)?.sentiment ?? labels.sentiment;
}

function clearestAspect(
  evidence: FaqEntry['evidence'],
  aspects: PerReview['aspects'],
): PerReview['aspects'][number] | undefined {
  return aspects
    .filter(({ id }) => evidence.aspects.includes(id))
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score))[0];
}

function isEvidence(evidence: FaqEntry['evidence'], labels: PerReview): boolean {
  return (
    labels.aspects.some(({ id }) => evidence.aspects.includes(id)) ||
    labels.topics.some((id) => evidence.topics.includes(id)) ||
    labels.services.some((id) => evidence.services.includes(id)) ||
    labels.problems.some((id) => evidence.problems.includes(id))
  );
}

interface Candidate {
  review_id: string;
  text: string;
  sentiment: Sentiment;
  /** From 0 to 1: the strength of the aspect's score. */
  clarity: number;
}

/**
 * Returns a review's quote on the question: on one of its aspects, else the first mention of its
 * topics, problems or services.
 */
function candidate(
  reviewId: string,
  evidence: FaqEntry['evidence'],
  labels: PerReview,
  passages: Passages,
): Candidate | undefined {
  const quoted = labels.aspects.filter(({ quote }) => quote !== null);
  const said = clearestAspect(evidence, quoted);
  if (said) {
    const { quote, sentiment, score } = said;
    return { review_id: reviewId, text: quote!, sentiment, clarity: Math.abs(score) };
  }
  for (const kind of ['topics', 'problems', 'services'] as const) {
    for (const id of evidence[kind]) {
      const passage = labels[kind].includes(id) ? passages[kind].get(id) : undefined;
      if (passage) return { review_id: reviewId, ...passage, clarity: 0 };
    }
  }
  return undefined;
}

/**
 * Picks the clearest quotes that read alone, in proportion to praise and criticism, both if both
 * exist.
 */
function pickQuotes(candidates: readonly Candidate[]): Answer['quotes'] {
  const alone = candidates.filter(({ text }) => readsAlone(text));
  const clearest = (alone.length >= QUOTES ? alone : candidates).toSorted(
    (a, b) => b.clarity - a.clarity,
  );
  const blame = clearest.filter(({ sentiment }) => sentiment === 'negative');
  const rest = clearest.filter(({ sentiment }) => sentiment !== 'negative');
  const share = Math.round((blame.length / Math.max(1, clearest.length)) * QUOTES);
  const least = blame.length > 0 ? 1 : 0;
  const most = rest.length > 0 ? QUOTES - 1 : QUOTES;
  const blamed = blame.slice(0, Math.min(most, Math.max(least, share)));
  return [...rest.slice(0, QUOTES - blamed.length), ...blamed].map(
    ({ review_id, text, sentiment }) => ({
      review_id,
      text,
      sentiment,
    }),
  );
}
