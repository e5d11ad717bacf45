import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { suggestAliases } from '../../insights/suggest.ts';
import { contentHash } from '../../insights/analyze/review-reader.ts';

// Lists what a person may look at: the reviews that no annotation speaks of as they are now (id,
// content hash, first words), and names that may be technicians but are not in the vocabulary.
try {
  const { annotations, reviews, vocabulary } = await readContent(
    resolve(process.env.CONTENT_DIR || 'content'),
  );
  const done = new Set(annotations.map(({ review_id, content_hash }) => review_id + content_hash));
  const published = reviews.filter(({ verified }) => verified);
  const open = published.filter((review) => !done.has(review.id + contentHash(review)));
  for (const review of open) {
    print(`${review.id} ${contentHash(review)} ${oneLine(review.text ?? review.title ?? '', 60)}`);
  }
  print(`${open.length} of ${published.length} reviews have no valid annotation`);
  const suggestions = suggestAliases(published, vocabulary);
  for (const { review_id, words, name, nearest } of suggestions) {
    const like = nearest ? `like ${nearest.name} (${nearest.id})` : 'like nobody in the vocabulary';
    print(`${review_id} ${name}: ${like}: "${oneLine(words)}"`);
  }
  print(`${suggestions.length} names may be technicians; none of them is matched`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function oneLine(text: string, length = text.length): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, length);
}
