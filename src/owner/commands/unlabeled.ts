import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { contentHash } from '../../insights/analyze/review-reader.ts';
import type { Command } from '../../run-command.ts';
import { oneLine } from '../../schema/invisible.ts';

/**
 * Lists the reviews that have no annotation for their present text: id, content hash, first words.
 * The total comes first.
 */
export const unlabeled: Command = async (_, print) => {
  const { annotations, reviews } = await readContent(resolve(process.env.CONTENT_DIR || 'content'));
  const done = new Set(annotations.map(({ review_id, content_hash }) => review_id + content_hash));
  const published = reviews.filter(({ verified }) => verified);
  const open = published.filter((review) => !done.has(review.id + contentHash(review)));
  print(
    `${open.length} of ${published.length} reviews have no valid annotation, and need none; ` +
      'npm run suggest lists the words that the vocabulary lacks',
  );
  for (const review of open) {
    print(
      `${review.id} ${contentHash(review)} ${oneLine(review.text ?? review.title ?? '').slice(0, 60)}`,
    );
  }
};
