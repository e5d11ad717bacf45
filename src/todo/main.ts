import { resolve } from 'node:path';
import { readContent } from '../content/read-content.ts';
import { contentHash } from '../insights/review-reader.ts';

// Lists the reviews that no annotation speaks of as they are now: id, content hash, first words.
try {
  const { annotations, reviews } = await readContent(resolve(process.env.CONTENT_DIR || 'content'));
  const done = new Set(annotations.map(({ review_id, content_hash }) => review_id + content_hash));
  const published = reviews.filter(({ verified }) => verified);
  const open = published.filter((review) => !done.has(review.id + contentHash(review)));
  for (const review of open) {
    const words = (review.text ?? review.title ?? '').replaceAll(/\s+/g, ' ').slice(0, 60);
    process.stdout.write(`${review.id} ${contentHash(review)} ${words}\n`);
  }
  process.stdout.write(`${open.length} of ${published.length} reviews have no valid annotation\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
