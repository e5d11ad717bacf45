import type { Sentiment } from '../../schema/insights.ts';
import type { AspectHit } from './aspect-finder.ts';
import { opinionsBetween, type Opinion } from './opinions.ts';
import {
  isContent,
  isCourtesy,
  isDegree,
  isDeterminer,
  isLink,
  isNegation,
  isOpen,
  isParticle,
  isPerson,
  isPreposition,
  phraseKey,
} from './phrase-words.ts';
import type { Phrase } from './phrases.ts';
import { around, type ReadText } from './read-text.ts';
import type { Token } from './tokens.ts';

const MIN_WORDS = 2;
const MAX_WORDS = 6;
/** What may stand between the words of a phrase: no quotation mark, bracket or mask. */
const PLAIN_GAP = /^(?: {1,2}|\/)$/;

/** Words from the first to the last, both included. */
interface Span {
  first: number;
  last: number;
}

/**
 * The phrases of one text: for each aspect, what it says beside the nearest opinion. Only words
 * that belong together make one: `price was very fair`, not `price they had in fair weather`.
 */
export function findPhrases(
  text: ReadText,
  hits: readonly AspectHit[],
  sentimentOf: (aspect: string) => Sentiment,
): Phrase[] {
  const found = new Map<string, Phrase>();
  for (const hit of hits) {
    const sentiment = sentimentOf(hit.aspect);
    const span = sentiment === 'neutral' ? undefined : spanAround(text, hit, sentiment);
    if (!span) continue;
    const tokens = text.tokens.slice(span.first, span.last + 1);
    const key = phraseKey(tokens);
    const piece = text.text.slice(tokens[0]!.start, tokens.at(-1)!.end);
    const phrase = { aspect: hit.aspect, sentiment, text: piece, key, at: span.first };
    found.set(`${hit.aspect} ${key}`, phrase);
  }
  return [...found.values()];
}

function spanAround(text: ReadText, hit: AspectHit, sentiment: Sentiment): Span | undefined {
  const [first, last] = around(text, hit.at, 'clause');
  const distance = ({ at }: Opinion) => Math.abs(at - hit.at);
  return opinionsBetween(text.opinions, hit.at - MAX_WORDS, hit.at + MAX_WORDS)
    .filter(({ score }) => score > 0 === (sentiment === 'positive'))
    .filter(({ from, at, length }) => from >= first && at + length - 1 <= last)
    .sort((a, b) => distance(a) - distance(b))
    .map((opinion) => join(text, hit, opinion, { first, last }))
    .find((span) => span !== undefined);
}

/** The words from a mention to an opinion on it, where they make a phrase that says something. */
function join(text: ReadText, hit: AspectHit, opinion: Opinion, clause: Span): Span | undefined {
  const { tokens } = text;
  const hitEnd = hit.at + hit.length;
  const opinionEnd = opinion.at + opinion.length;
  if (isCourtesy(tokens[opinion.at]!.lower)) return undefined;
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

/** Whether words between an opinion and its object keep them together: few say more. */
function belongs(between: readonly Token[], most: number): boolean {
  if (between.some(({ lower }) => isNegation(lower))) return false;
  const content = between.filter(({ lower }) => isContent(lower)).length;
  return content <= (between.some(({ lower }) => isPreposition(lower)) ? 0 : most);
}

/** `claims very quickly`: the adverb is of the verb before. */
function isAdverbOnly(opinion: readonly Token[]): boolean {
  const last = opinion.at(-1)?.lower ?? '';
  return last.endsWith('ly') && opinion.slice(0, -1).every(({ lower }) => isDegree(lower));
}

function contentBefore(tokens: readonly Token[], at: number, first: number): number | undefined {
  for (let before = at - 1; before >= Math.max(first, at - 2); before--) {
    if (isContent(tokens[before]!.lower)) return before;
  }
  return undefined;
}

/** Where a phrase ends that would break off: `easy to` goes on, and so does `a caring`. */
function completed(
  { tokens, opinions }: ReadText,
  first: number,
  end: number,
  clauseLast: number,
): number {
  let last = end;
  if (last > first && isParticle(tokens[last]!.lower)) return last;
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

/** `a very fair`, unlike `price was very fair`: a noun follows. */
function isAttribute(tokens: readonly Token[], { from, at }: Opinion): boolean {
  let before = at - 1;
  while (before > 0 && isDegree(tokens[before]!.lower)) before--;
  const word = tokens[before]?.lower ?? '';
  return isDeterminer(word) || (from === at && isContent(word));
}

/** @param longest words of the mention or of the opinion, where either is a phrase of its own */
function saysSomething(words: readonly Token[], longest: number): boolean {
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return false;
  if (words.slice(1).some(({ gap }) => !PLAIN_GAP.test(gap))) return false;
  const last = words.at(-1)!;
  if (isOpenEnd(last) && !isParticle(last.lower)) return false;
  if (phraseKey(words).includes(' ')) return true;
  return longest > 1 && (words.length > MIN_WORDS || !words.some(({ lower }) => isPerson(lower)));
}
