import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { UsageError, type Command } from '../../run-command.ts';
import { pastedId } from '../../schema/primitives.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import type { Vocabulary } from '../../schema/vocabulary.ts';
import { AspectFinder } from '../../insights/analyze/aspect-finder.ts';
import { Judge } from '../../insights/analyze/judge.ts';
import { sentimentLexicon } from '../../insights/analyze/opinions.ts';
import { partWorth, PolarityModel, starsWorth } from '../../insights/analyze/polarity-model.ts';
import { readReviewText, ReviewReader, reviewWords } from '../../insights/analyze/review-reader.ts';
import { TermFinder } from '../../insights/analyze/term-finder.ts';

/** Features shown for each aspect. */
const MAX_FEATURES = 8;

/** Prints how the engine reads a review of the content folder, without its annotation. */
export const explain: Command = async ([id], print) => {
  if (!id) throw new UsageError('usage: npm run reviews -- explain <review-id>');
  const { reviews, vocabulary, weights } = await readContent(
    resolve(process.env.CONTENT_DIR || 'content'),
  );
  const review = reviews.find((review) => review.id === pastedId(id));
  if (!review) throw new Error(`no review has the id ${id}`);
  for (const line of explainReview(review, vocabulary, new PolarityModel(weights))) print(line);
};

/** Returns lines that say how a review is read: what was found, and what decided each aspect. */
export function explainReview(
  review: ReviewRecord,
  vocabulary: Vocabulary,
  model: PolarityModel,
): string[] {
  const labels = new ReviewReader(vocabulary, model).read(review);
  const text = readReviewText(
    review,
    sentimentLexicon(vocabulary.lexicon, vocabulary.aspects, vocabulary.trade),
  );
  const { services, problems } = new TermFinder(vocabulary).find(text.tokens);
  const found = new AspectFinder(vocabulary.aspects).find(text);
  const judge = new Judge(text, found, model, [...services, ...problems]);
  const words = (at: number, length: number) =>
    text.tokens
      .slice(at, at + length)
      .map((token) => token.text)
      .join(' ');
  const lists = (['technicians', 'services', 'service_areas', 'problems', 'topics'] as const)
    .filter((list) => labels[list].length > 0)
    .map((list) => `${list}: ${labels[list].join(', ')}`);
  const aspects = labels.aspects.flatMap(({ id, sentiment, score, quote }) => {
    const hits = found.filter(({ aspect }) => aspect === id);
    const { rules, features, scope, part } = judge.target(hits, review.rating);
    const opinions = text.opinions
      .filter(({ at }) => scope.weights[at]! > 0)
      .map(({ at, length, from, score }) => {
        const negation = from < at ? `${words(from, 1)} … ` : '';
        return `"${negation}${words(at, length)}" ${signed(score)} × ${scope.weights[at]!.toFixed(2)}`;
      });
    const spoke = model.explain(features).slice(0, MAX_FEATURES);
    return [
      '',
      `${id}: ${sentiment} (score ${signed(score)})`,
      `  named by: ${hits.map(({ at, length }) => `"${words(at, length)}"`).join(', ')}`,
      `  quote: ${quote ?? 'none'}`,
      `  opinions: ${opinions.join(', ') || 'none'}; the rules alone: ${signed(rules)}`,
      `  features: ${spoke.map(({ name, worth }) => `${name} ${signed(worth)}`).join(', ')}`,
      part === 0
        ? `  stars: ${signed(starsWorth(review.rating))}`
        : `  part: ${signed(partWorth(part))}`,
    ];
  });
  return [
    `${review.id}, ${review.rating} stars: ${labels.sentiment}`,
    ...reviewWords(review).split('\n'),
    ...(lists.length > 0 ? ['', ...lists] : []),
    ...(aspects.length > 0 ? aspects : ['', 'no aspect found']),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}
