import { readReview } from '../dataset/document.ts';
import type { Labels } from '../dataset/labels.ts';
import type { ReviewGroup } from '../schema/count.ts';
import type { CountedGroup } from './groups.ts';
import type { SearchIndex } from './search-index.ts';
import { fold } from './tokens.ts';

/** Newest reviews of a group that are looked through for quotes. */
const CANDIDATES = 20;
const MAX_LENGTH = 200;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns verbatim quotes of a group's newest reviews: what one says about the aspect that is
 * counted or filtered by, else its sentence with the words searched for, else its first one.
 */
export function quotes(
  { lines, labels }: Pick<SearchIndex, 'lines' | 'labels'>,
  { newest, aspects }: CountedGroup,
  most: number,
  query?: string,
): NonNullable<ReviewGroup['examples']> {
  const found: NonNullable<ReviewGroup['examples']> = [];
  for (const position of newest(CANDIDATES)) {
    if (found.length === most) break;
    const { id, url, text } = readReview(lines, position);
    if (text === null) continue;
    const quote = aspects
      ? quoteAbout(aspects, text, labels?.read(position))
      : sentenceWith(query ?? '', text);
    if (quote !== undefined) found.push({ review_id: id, url, quote });
  }
  return found;
}

function quoteAbout(
  aspects: readonly string[],
  text: string,
  labels: Labels | undefined,
): string | undefined {
  const quoted = labels?.aspects.find(({ id, quote }) => quote !== null && aspects.includes(id));
  return quoted && text.slice(...quoted.quote!);
}

/** Returns the first sentence that contains a query, else the first one of all, cut if it is long. */
function sentenceWith(query: string, text: string): string {
  const wanted = fold(query);
  const all = [...sentences.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
  const sentence = all.find((each) => fold(each).includes(wanted)) ?? all[0] ?? text;
  const characters = [...sentence];
  if (characters.length <= MAX_LENGTH) return sentence;
  const start = characters.slice(0, MAX_LENGTH).join('');
  const space = start.lastIndexOf(' ');
  return space > 0 ? start.slice(0, space) : start;
}
