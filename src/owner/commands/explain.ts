import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { PolarityModel } from '../../insights/analyze/polarity-model.ts';
import { explainReview } from '../explain-reading.ts';
import { UsageError, type Command } from '../../run-command.ts';

/** Prints how the engine reads a review of the content folder, without its annotation. */
export const explain: Command = async ([id], print) => {
  if (!id) throw new UsageError('usage: npm run reviews -- explain <review-id>');
  const { reviews, vocabulary, weights } = await readContent(
    resolve(process.env.CONTENT_DIR || 'content'),
  );
  const review = reviews.find((review) => review.id === id);
  if (!review) throw new Error(`no review has the id ${id}`);
  for (const line of explainReview(review, vocabulary, new PolarityModel(weights))) print(line);
};
