import type { Sentiment } from '../../schema/insights.ts';
import type { Language } from '../languages/language.ts';
import type { AspectHit } from './aspect-finder.ts';
import { isPlain, opinionsWithin, type Opinion } from './opinions.ts';
import { phraseKey } from './phrase-key.ts';
import { around, type ReadText } from './read-text.ts';
import type { Hit, Range } from './spans.ts';
import type { Token } from './tokens.ts';

/** A verbatim piece of a review that joins an aspect with an opinion. */
interface Phrase extends Hit {
  aspect: string;
  sentiment: Sentiment;
  /** As written. */
  text: string;
  /** The word or words of the opinion, in lower case. */
  opinion: string;
}

const MIN_WORDS = 2;
const MAX_WORDS = 6;
/** Allowed between the words of a phrase: no quotation mark, bracket or mask. */
const PLAIN_GAP = /^(?: {1,2}|\/)$/;

/**
 * Finds the phrases of a text: each mention of an aspect with the nearest plain opinion on it, of the
 * side of its label unless that is neutral. The words must belong together: `price was very fair`, not
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
    const joined = spanAround(text, hit, hits, sentiment);
    if (!joined) continue;
    const { first, last, opinion } = joined;
    const tokens = text.tokens.slice(first, last + 1);
    found.set(`${hit.aspect} ${phraseKey(tokens, text.lexicon.language)}`, {
      aspect: hit.aspect,
      sentiment,
      text: text.text.slice(tokens[0]!.start, tokens.at(-1)!.end),
      opinion: text.tokens
        .slice(opinion.at, opinion.at + opinion.length)
        .map(({ lower }) => lower)
        .join(' '),
      at: first,
      length: tokens.length,
    });
  }
  return [...found.values()];
}

function spanAround(
  text: ReadText,
  hit: AspectHit,
  hits: readonly AspectHit[],
  sentiment: Sentiment,
): (Range & { opinion: Opinion }) | undefined {
  const clause = around(text, hit.at, 'clause');
  const distance = ({ at }: Opinion) => Math.abs(at - hit.at);
  const isOfOther = ({ at }: Opinion) =>
    hits.some(
      (other) =>
        other.aspect !== hit.aspect &&
        other.at > Math.min(at, hit.at) &&
        other.at < Math.max(at, hit.at),
    );
  return opinionsWithin(text.opinions, { first: hit.at - MAX_WORDS, last: hit.at + MAX_WORDS })
    .filter(isPlain)
    .filter(({ score }) => sentiment === 'neutral' || score > 0 === (sentiment === 'positive'))
    .filter(({ from, at, length }) => from >= clause.first && at + length - 1 <= clause.last)
    .filter((opinion) => !isOfOther(opinion))
    .filter(({ at, score }) => score * text.sides[at]! >= 0)
    .sort((a, b) => distance(a) - distance(b))
    .map((opinion) => {
      const span = join(text, hit, opinion, clause);
      return span && { ...span, opinion };
    })
    .find((joined) => joined !== undefined);
}

/** Returns the words from a mention to an opinion if they make a meaningful phrase. */
function join(text: ReadText, hit: AspectHit, opinion: Opinion, clause: Range): Range | undefined {
  const { tokens } = text;
  const { language } = text.lexicon;
  if (!isSaidOf(text, opinion, hit)) return undefined;
  const hitEnd = hit.at + hit.length;
  const opinionEnd = opinion.at + opinion.length;
  // An adverb needs the verb before it: `claims very quickly`.
  if (isAdverbOnly(tokens.slice(hitEnd, opinionEnd), language)) return undefined;
  const first = Math.min(hit.at, opinion.from);
  const end = Math.max(hitEnd, opinionEnd) - 1;
  const last = completed(text, first, end, clause.last);
  // Wifi excellent breakfast
  const next = last < clause.last ? tokens[last + 1]! : undefined;
  const goesOn = hitEnd === opinion.from && next?.gap === ' ' && language.isContent(next.lower);
  // A hedge says that a thing did not happen, unless a negation follows: `could not be helpful`.
  const { hedges, negations } = language;
  const isDoubtful = tokens.slice(first, last + 1).some(({ lower }, at) => {
    return hedges.has(lower) && !negations.has(tokens[first + at + 1]?.lower ?? '');
  });
  const longest = Math.max(hit.length, opinion.length);
  const says = saysSomething(tokens.slice(first, last + 1), longest, language);
  return says && !goesOn && !isDoubtful ? { first, last } : undefined;
}

/** Tells whether an opinion and a mention are close enough to belong together. */
function isSaidOf(
  { tokens, opinions, unreal, lexicon: { language } }: ReadText,
  opinion: Opinion,
  hit: AspectHit,
): boolean {
  const { lower } = tokens[opinion.at]!;
  const opinionEnd = opinion.at + opinion.length;
  const hitEnd = hit.at + hit.length;
  if (!/\p{L}/u.test(lower) || unreal.has(opinion.at)) return false;
  if (language.courtesies.has(lower) || language.contrasts.has(lower)) return false;
  if (!belongs(tokens.slice(opinion.from + 1, opinion.at), 1, language)) return false;
  // Two judgments side by side say nothing of each other: `broken not recommended`.
  const inHit = opinionsWithin(opinions, { first: hit.at, last: hitEnd - 1 });
  const isOther = ({ at }: Opinion) => at < opinion.at || at >= opinionEnd;
  if (inHit.some((one) => isPlain(one) && isOther(one))) return false;
  const between = tokens.slice(opinionEnd, hit.at);
  if (language.grammar.isAdverb(lower) && opinion.length === 1 && between.length > 0) return false;
  return (
    belongs(between, hit.length > 2 ? 0 : 1, language) &&
    tokens.slice(hitEnd, opinion.from).every(({ lower }) => language.isLink(lower))
  );
}

/** Tells whether the words between an opinion and its object keep them together. */
function belongs(between: readonly Token[], limit: number, language: Language): boolean {
  const parts = [language.negations, language.personalPronouns];
  if (between.some(({ lower }) => parts.some((words) => words.has(lower)))) return false;
  const content = between.filter(({ lower }) => language.isContent(lower)).length;
  return content <= (between.some(({ lower }) => language.prepositions.has(lower)) ? 0 : limit);
}

/** Tells whether an opinion is an adverb. */
function isAdverbOnly(opinion: readonly Token[], language: Language): boolean {
  const last = opinion.at(-1)?.lower ?? '';
  return (
    language.grammar.isAdverb(last) &&
    opinion.slice(0, -1).every(({ lower }) => language.degrees.has(lower))
  );
}

/** Returns the last word of a phrase that may not end yet at a word: `easy to` needs the next. */
function completed(
  { tokens, lexicon: { language } }: ReadText,
  first: number,
  end: number,
  clauseLast: number,
): number {
  let last = end;
  if (last > first && language.particles.has(tokens[last]!.lower)) return last;
  while (last < clauseLast && isOpenEnd(tokens[last]!, language)) last++;
  return last;
}

function isOpenEnd({ lower, text }: Token, language: Language): boolean {
  return language.isOpen(lower) || /^\p{N}+$|['’]s$/u.test(text);
}

/** Tells whether a sentence seems to begin with a word of a text without full stops: `helpful We`. */
function beginsAnew(before: string, word: string): boolean {
  return /^\p{Ll}/u.test(before) && /^\p{Lu}\p{Ll}/u.test(word);
}

/**
 * Tells whether words make a phrase that means something.
 *
 * @param longest number of words of the mention or the opinion, whichever is longer
 */
function saysSomething(words: readonly Token[], longest: number, language: Language): boolean {
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return false;
  if (words.slice(1).some(({ gap }) => !PLAIN_GAP.test(gap))) return false;
  if (words.some(({ text }, index) => index > 0 && beginsAnew(words[index - 1]!.text, text)))
    return false;
  const last = words.at(-1)!;
  if (isOpenEnd(last, language) && !language.particles.has(last.lower)) return false;
  if (phraseKey(words, language).includes(' ')) return true;
  return (
    longest > 1 &&
    (words.length > MIN_WORDS || !words.some(({ lower }) => language.personalPronouns.has(lower)))
  );
}
