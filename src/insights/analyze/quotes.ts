import { around, slice, type ReadText } from './read-text.ts';

/** A longer sentence is quoted by its clauses around the words in question. */
const MAX_LENGTH = 220;
/** What a quote from inside a sentence does not begin with. */
const CONNECTIVES = new Set(
  'although and because but however since so than that then though when where which while who'.split(
    ' ',
  ),
);

/** The sentence around a word, or as many of its clauses as make a quote; verbatim. */
export function quoteAround(text: ReadText, at: number): string {
  const [start, end] = around(text, at, 'sentence');
  const fits = (first: number, last: number) => slice(text, first, last).length <= MAX_LENGTH;
  if (fits(start, end)) return slice(text, start, end);
  let [first, last] = around(text, at, 'clause');
  for (let grows = true; grows;) {
    const before = first > start ? around(text, first - 1, 'clause')[0] : first;
    const after = last < end ? around(text, last + 1, 'clause')[1] : last;
    grows = true;
    if (before < first && fits(before, last) && isConnective(text, first)) first = before;
    else if (after > last && fits(first, after)) last = after;
    else if (before < first && fits(before, last)) first = before;
    else grows = false;
  }
  while (first < at && first > start && isConnective(text, first)) first++;
  return slice(text, first, last);
}

function isConnective({ tokens }: ReadText, at: number): boolean {
  return CONNECTIVES.has(tokens[at]!.lower);
}

const STARTS_ALONE = /^["“‘'(]?(?:[$£€]?\p{N}|\p{Lu})/u;
const ENDS_ALONE = /[.!](?:["”’')]*)$/u;
/** These point to a sentence that is not quoted. */
const POINTS_BACK =
  /^["“‘'(]?(?:also|and|because|but|he|her|his|however|it|it['’]s|she|so|that|then|these|they|this|those|which)\b/iu;
const MIN_WORDS = 5;

/** Whether a reader who sees nothing else understands a quote: a whole statement, in no capitals. */
export function readsAlone(quote: string): boolean {
  const letters = quote.match(/\p{L}/gu)?.length ?? 0;
  const capitals = quote.match(/\p{Lu}/gu)?.length ?? 0;
  return (
    STARTS_ALONE.test(quote) &&
    ENDS_ALONE.test(quote) &&
    !POINTS_BACK.test(quote) &&
    capitals * 3 < letters &&
    quote.split(/\s+/).length >= MIN_WORDS
  );
}
