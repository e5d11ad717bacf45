import { resolve } from 'node:path';
import { readContent } from '../content/read-content.ts';
import { contentHash } from '../insights/analyze/review-reader.ts';
import { suggestAliases } from '../insights/suggest.ts';
import type { Command } from '../run-command.ts';
import { oneLine } from '../schema/invisible.ts';

/**
 * Lists names that may be technicians but are not in the vocabulary, and the reviews that have no
 * annotation for their present text (id, content hash, first words). Totals come first.
 */
export const unlabeled: Command = async (_, print) => {
  const { annotations, reviews, vocabulary } = await readContent(
    resolve(process.env.CONTENT_DIR || 'content'),
  );
  const done = new Set(annotations.map(({ review_id, content_hash }) => review_id + content_hash));
  const published = reviews.filter(({ verified }) => verified);
  const open = published.filter((review) => !done.has(review.id + contentHash(review)));
  const suggestions = suggestAliases(published, vocabulary);

  print(`${suggestions.length} names may be technicians; none of them is matched`);
  for (const { review_id, words, name, nearest } of suggestions) {
    const like = nearest ? `like ${nearest.name} (${nearest.id})` : 'like nobody in the vocabulary';
    print(`${review_id} ${name}: ${like}: "${oneLine(words)}"`);
  }
  print(`${open.length} of ${published.length} reviews have no valid annotation`);
  for (const review of open) {
    print(
      `${review.id} ${contentHash(review)} ${oneLine(review.text ?? review.title ?? '').slice(0, 60)}`,
    );
  }
};
