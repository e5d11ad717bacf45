import { fold, eachWord } from './tokens.ts';
import { endOfPhrase } from './phrases.ts';
import type { ReadQuery, Sequence } from './read-query.ts';
import { FOUND_FROM } from './word-forms.ts';
import type { WordIndex } from './word-index.ts';

/** A range of a text. */
export type TextRange = [from: number, to: number];

const EVERYWHERE = -1;
const ASCII = /^[\u0000-\u007f]*$/;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
/** Characters of an bestSentence. */
const MAX_LENGTH = 200;

/**
 * Returns the ranges of a text that a query was found by: complete characters as a reader sees them.
 *
 * @param isPhrase true if the words of phrases are marked only where they are side by side
 */
export function marksIn(
  text: string,
  { all }: Pick<ReadQuery, 'all'>,
  index: WordIndex,
  isPhrase: boolean,
): TextRange[] {
  const words: (number | undefined)[] = [];
  const ranges: TextRange[] = [];
  const sequences = all.flat();
  if (sequences.some(({ as }) => as !== 'string')) {
    eachWord(text, (word, from, to) => {
      words.push(index.numberOf(word, EVERYWHERE));
      ranges.push([from, to]);
    });
  }
  const marks: TextRange[] = [];
  for (const sequence of sequences) {
    if (sequence.as === 'string') {
      marks.push(...placesOfString(text, sequence.written));
      continue;
    }
    for (const phrase of phrasesOf(sequence, isPhrase)) {
      for (let at = 0; at < words.length; at++) {
        const end = endOfPhrase(words, at, phrase);
        if (end === undefined) continue;
        marks.push([ranges[at]![0], ranges[end - 1]![1]]);
        at = end - 1;
      }
    }
  }
  return marks;
}

/** Returns what is marked of a sequence: a phrase, or each of its words. */
function phrasesOf({ as, concepts }: Sequence, isPhrase: boolean) {
  if (as === 'phrase' || (as === 'phrase first' && isPhrase)) return [concepts];
  const telling = concepts.filter(({ forms }) => [...forms.values()].some((w) => w >= FOUND_FROM));
  return telling.map((concept) => [concept]);
}

/** Returns the places of a folded string. */
export function placesOfString(text: string, string: string): TextRange[] {
  const folded = fold(text);
  const places: TextRange[] = [];
  if (string === '') return places;
  let offsets: ReturnType<typeof originalOffsets> | undefined;
  for (let at = folded.indexOf(string); at !== -1;) {
    offsets ??= originalOffsets(text, folded);
    const end = at + string.length;
    places.push([offsets.start(at), offsets.end(end)]);
    at = folded.indexOf(string, end);
  }
  return places;
}

/** Maps positions in the folded text to positions in the text. */
function originalOffsets(text: string, folded: string) {
  if (ASCII.test(text)) return { start: (at: number) => at, end: (at: number) => at };
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const { length } = fold(segment);
    for (let unit = 0; unit < length; unit++) {
      starts.push(index);
      ends.push(index + segment.length);
    }
  }
  const last = Math.min(starts.length, folded.length) - 1;
  return {
    start: (at: number) => starts[Math.min(at, last)]!,
    end: (at: number) => ends[Math.min(at - 1, last)]!,
  };
}

/** Returns the first sentence with the most different marked words, cut if it is long. */
export function bestSentence(text: string, marks: readonly TextRange[]): string {
  let best = { marked: -1, index: 0, segment: text };
  for (const { segment, index } of sentences.segment(text)) {
    if (segment.trim() === '') continue;
    const own = marks.filter(([from]) => from >= index && from < index + segment.length);
    const marked = new Set(own.map(([from, to]) => fold(text.slice(from, to)))).size;
    if (marked > best.marked) best = { marked, index, segment };
  }
  const { segment, index } = best;
  const sentence = segment.trim();
  if (sentence.length <= MAX_LENGTH) return sentence;
  // A long sentence is cut around its first mark.
  const first = marks.find(([from]) => from >= index)?.[0] ?? index;
  const from = Math.max(0, Math.min(first - index - MAX_LENGTH / 4, segment.length - MAX_LENGTH));
  return cutAtSpaces(segment, from, from + MAX_LENGTH);
}

function cutAtSpaces(text: string, from: number, to: number): string {
  const begins = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from;
  const last = text.lastIndexOf(' ', to);
  const ends = to >= text.length ? text.length : last > begins ? last : to;
  return text
    .slice(begins, ends)
    .trim()
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^[\udc00-\udfff]/, '');
}
