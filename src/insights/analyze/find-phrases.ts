import type { Sentiment } from '../../schema/insights.ts';
import {
  COURTESIES,
  DEGREES,
  DETERMINERS,
  isContent,
  isLink,
  isNegation,
  isOpen,
  isPreposition,
  PARTICLES,
  PERSONAL_PRONOUNS,
} from '../words.ts';
import type { AspectHit } from './aspect-finder.ts';
import { opinionsBetween, type Opinion } from './opinions.ts';
import { phraseKey } from './phrase-key.ts';
import { around, type ReadText } from './read-text.ts';
import type { Token } from './tokens.ts';

/** A verbatim piece of a review that joins an aspect with an opinion. */
export interface Phrase {
  aspect: string;
  sentiment: Sentiment;
  /** As written. */
  text: string;
  /** The word or words of the opinion, in lower case. */
  opinion: string;
  /** Index of its first word. */
  at: number;
}

const MIN_WORDS = 2;
const MAX_WORDS = 6;
/** Allowed between the words of a phrase: no quotation mark, bracket or mask. */
const PLAIN_GAP = /^(?: {1,2}|\/)$/;

/** A range of words, both ends included. */
interface Span {
  first: number;
  last: number;
}

/**
 * Finds the phrases of a text: each mention of an aspect with the nearest opinion on it, of the side
 * of its label unless that is neutral. The words must belong together: `price was very fair`, not
 * `price they had in fair weather`.
 */
export function findPhrases(
  text: ReadText,
  hits: readonly AspectHit[],
  sentimentOf: (aspect: string) => Sentiment,
): Phrase[] {
  const found = new Map<string, Phrase>();
  for (const hit of hits) {
    const sentiment = sentimentOf(hit.aspect);
    const joined = spanAround(text, hit, sentiment);
    if (!joined) continue;
    const { first, last, opinion } = joined;
    const tokens = text.tokens.slice(first, last + 1);
    found.set(`${hit.aspect} ${phraseKey(tokens)}`, {
      aspect: hit.aspect,
      sentiment,
      text: text.text.slice(tokens[0]!.start, tokens.at(-1)!.end),
      opinion: text.tokens
        .slice(opinion.at, opinion.at + opinion.length)
        .map(({ lower }) => lower)
        .join(' '),
      at: first,
    });
  }
  return [...found.values()];
}

function spanAround(
  text: ReadText,
  hit: AspectHit,
  sentiment: Sentiment,
): (Span & { opinion: Opinion }) | undefined {
  const [first, last] = around(text, hit.at, 'clause');
  const distance = ({ at }: Opinion) => Math.abs(at - hit.at);
  return opinionsBetween(text.opinions, hit.at - MAX_WORDS, hit.at + MAX_WORDS)
    .filter(({ score }) => sentiment === 'neutral' || score > 0 === (sentiment === 'positive'))
    .filter(({ from, at, length }) => from >= first && at + length - 1 <= last)
    .sort((a, b) => distance(a) - distance(b))
    .map((opinion) => {
      const span = join(text, hit, opinion, { first, last });
      return span && { ...span, opinion };
    })
    .find((joined) => joined !== undefined);
}

/** Returns the words from a mention to an opinion if they make a meaningful phrase. */
function join(text: ReadText, hit: AspectHit, opinion: Opinion, clause: Span): Span | undefined {
  const { tokens } = text;
  const hitEnd = hit.at + hit.length;
  const opinionEnd = opinion.at + opinion.length;
  if (COURTESIES.has(tokens[opinion.at]!.lower)) return undefined;
  if (!belongs(tokens.slice(opinion.from + 1, opinion.at), 1)) return undefined;
  if (!belongs(tokens.slice(opinionEnd, hit.at), hit.length > 2 ? 0 : 1)) return undefined;
  if (!tokens.slice(hitEnd, opinion.from).every(({ lower }) => isLink(lower))) return undefined;
  const first = isAdverbOnly(tokens.slice(hitEnd, opinionEnd))
    ? contentBefore(tokens, hit.at, clause.first)
    : Math.min(hit.at, opinion.from);
  if (first === undefined) return undefined;
  const last = completed(text, first, Math.max(hitEnd, opinionEnd) - 1, clause.last);
  const words = tokens.slice(first, last + 1);
  const negatedOnly = words.every(
    ({ lower }, index) =>
      !isNegation(lower) || (first + index >= opinion.from && first + index < opinionEnd),
  );
  if (opinion.score > 0 && !negatedOnly) return undefined;
  return saysSomething(words, Math.max(hit.length, opinion.length)) ? { first, last } : undefined;
}

/** Tells whether the words between an opinion and its object keep them together. */
function belongs(between: readonly Token[], most: number): boolean {
  if (between.some(({ lower }) => isNegation(lower))) return false;
  const content = between.filter(({ lower }) => isContent(lower)).length;
  return content <= (between.some(({ lower }) => isPreposition(lower)) ? 0 : most);
}

/** Tells whether an opinion is an adverb, which needs the verb before it: `claims very quickly`. */
function isAdverbOnly(opinion: readonly Token[]): boolean {
  const last = opinion.at(-1)?.lower ?? '';
  return last.endsWith('ly') && opinion.slice(0, -1).every(({ lower }) => DEGREES.has(lower));
}

function contentBefore(tokens: readonly Token[], at: number, first: number): number | undefined {
  for (let before = at - 1; before >= Math.max(first, at - 2); before--) {
    if (isContent(tokens[before]!.lower)) return before;
  }
  return undefined;
}

/** Extends a phrase that would break off: `easy to` goes on, and so does `a caring`. */
function completed(
  { tokens, opinions }: ReadText,
  first: number,
  end: number,
  clauseLast: number,
): number {
  let last = end;
  if (last > first && PARTICLES.has(tokens[last]!.lower)) return last;
  while (last < clauseLast && isOpenEnd(tokens[last]!)) last++;
  const opinion = opinionsBetween(opinions, last, last).find(({ length }) => length === 1);
  const describes = opinion && last > first && isAttribute(tokens, opinion);
  const next = tokens[last + 1];
  const goesOn = next && last < clauseLast && next.gap === ' ' && isContent(next.lower);
  return describes && goesOn ? last + 1 : last;
}

function isOpenEnd({ lower, text }: Token): boolean {
  return isOpen(lower) || /^\p{N}+$|['’]s$/u.test(text);
}

/** Tells whether a noun must follow: after `a very fair`, but not after `price was very fair`. */
function isAttribute(tokens: readonly Token[], { from, at }: Opinion): boolean {
  let before = at - 1;
  while (before > 0 && DEGREES.has(tokens[before]!.lower)) before--;
  const word = tokens[before]?.lower ?? '';
  return DETERMINERS.has(word) || (from === at && isContent(word));
}

/**
 * Tells whether words make a phrase that means something.
 *
 * @param longest number of words of the mention or the opinion, whichever is longer
 */
function saysSomething(words: readonly Token[], longest: number): boolean {
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return false;
  if (words.slice(1).some(({ gap }) => !PLAIN_GAP.test(gap))) return false;
  const last = words.at(-1)!;
  if (isOpenEnd(last) && !PARTICLES.has(last.lower)) return false;
  if (last.lower === 'it' && isPreposition(words.at(-2)!.lower)) return false; // like what?
  if (phraseKey(words).includes(' ')) return true;
  return (
    longest > 1 &&
    (words.length > MIN_WORDS || !words.some(({ lower }) => PERSONAL_PRONOUNS.has(lower)))
  );
}
