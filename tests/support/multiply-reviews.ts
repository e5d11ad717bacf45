import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishText } from './edition-folder.ts';

/**
 * Makes an edition of as many copies of each review, with ids of their own.
 *
 * @param times at most 1000
 */
export async function multiplyReviews(source: string, times: number): Promise<void> {
  const suffixes = Array.from({ length: times }, (_, at) => String(999 - at).padStart(3, '0'));
  const copyOf = (review: string, suffix: string) =>
    review.replace(/(?<="id":"\w{23})\w{3}|(?<=\/reviews\/\w{23})\w{3}/g, suffix);
  const reviews = await multiplied(source, 'reviews.json', suffixes, copyOf);
  await publishText(source, 'reviews.json', reviews);
  const labels = await multiplied(source, 'review-labels.json', suffixes, (label) => label);
  await publishText(source, 'review-labels.json', labels);
}

async function multiplied(
  source: string,
  file: string,
  suffixes: readonly string[],
  copyOf: (line: string, suffix: string) => string,
): Promise<string> {
  const [open, ...lines] = (await readFile(join(source, file), 'utf8')).trimEnd().split('\n');
  const close = lines.pop()!;
  const copies = lines.flatMap((line) =>
    suffixes.map((suffix) => copyOf(line.replace(/,$/, ''), suffix)),
  );
  return `${open}\n${copies.join(',\n')}\n${close}\n`;
}
