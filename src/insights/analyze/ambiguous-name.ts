import type { Language } from '../languages/language.ts';
import { isCapitalized, type Token } from './tokens.ts';
import type { TradeSets } from './trade.ts';

/** An occurrence of a name that is also a common word. */
interface AmbiguousName {
  tokens: readonly Token[];
  at: number;
  /** The required spelling. */
  exact: string;
  /** Tells whether the word at an index is any technician's name. */
  isName: (at: number) => boolean;
  trade: TradeSets;
  language: Language;
}

/**
 * Tells whether an ambiguous name means the person. Its case must be exact, and inside a sentence a
 * cue must be next to it. Where a capital letter proves nothing (at the start of a sentence, In Title
 * Case, or in a language that capitalizes nouns) a verb must follow that the other meaning cannot
 * have: no modal precedes a finite verb, and no month, bill or virtue fixes a pipe.
 */
export function isPerson(name: AmbiguousName): boolean {
  const { tokens, at, exact, language } = name;
  const token = tokens[at]!;
  const written = token.text.replace(/['’]s$/, '');
  if (written !== exact) return false;
  const before = token.startsSentence ? '' : tokens[at - 1]!.lower;
  if (isPersonal(name) || isListed(name)) return true;
  if (language.nameDeterminers.has(before)) return false;
  const isThing = language.nameableThings.has(token.lower);
  if (acts(name, isThing)) return true;
  const possessive = written !== token.text;
  const belongs = possessive || language.namePrepositions.has(before);
  const provesNothing = language.beforeNouns.size > 0 || isCaseUninformative(tokens, at);
  if (provesNothing) return belongs && language.modals.has(token.lower);
  if (isThing) return false;
  return belongs || isThanked(name) || language.beforePerson.has(before);
}

/** Words to check on either side; no headline is longer. */
const TITLE_REACH = 40;

/**
 * Tells whether every longer word of the sentence is capitalized, so that one more proves nothing.
 */
export function inTitleCase(tokens: readonly Token[], at: number): boolean {
  let first = at;
  const least = Math.max(0, at - TITLE_REACH);
  while (first > least && !tokens[first]!.startsSentence) first--;
  const end = Math.min(tokens.length, at + TITLE_REACH);
  let others = 0;
  for (let next = first; next < end; next++) {
    const { text, startsSentence } = tokens[next]!;
    if (next > first && startsSentence) break;
    if (next === at || text.length < 4) continue;
    if (!isCapitalized({ text })) return false;
    others++;
  }
  return others >= 2;
}

/** Tells whether a capital letter proves nothing at an index. */
export function isCaseUninformative(tokens: readonly Token[], at: number): boolean {
  const { startsSentence, gap } = tokens[at]!;
  return startsSentence || /[:;"“”(–—-]/.test(gap) || inTitleCase(tokens, at);
}

/**
 * Tells whether a word beside the name makes it a person's: `our plumber Will`, `Will, our plumber`, `ask for
 * May`, but not `Our Plumber Will Return`.
 */
function isPersonal({ tokens, at, trade, language }: AmbiguousName): boolean {
  const { lower, startsSentence } = tokens[at]!;
  const isTitle = (place: number) => trade.people.has(tokens[place]?.lower ?? '');
  if (language.beforeTitles.has(tokens[at + 1]?.lower ?? '') && isTitle(at + 2)) return true;
  if (startsSentence) return false;
  const before = tokens[at - 1]!.lower;
  if (language.requests.has(`${tokens[at - 2]?.lower} ${before}`)) return true;
  if (language.modals.has(lower) && inTitleCase(tokens, at)) return language.personal.has(before);
  return isTitle(at - 1) || language.personal.has(before);
}

/** Tells whether a verb follows that needs a person, given the other meaning of the name. */
function acts(
  { tokens, at, trade: { actions }, language }: AmbiguousName,
  isThing: boolean,
): boolean {
  const verb = verbAfter(tokens, at, language);
  if (actions.has(verb)) return true;
  if (isThing) return false;
  const isWord = language.modals.has(tokens[at]!.lower) || !language.virtueVerbs.has(verb);
  return language.speechVerbs.has(verb) || (isFinite(verb, language) && isWord);
}

export function isFinite(verb: string, { finite, grammar }: Language): boolean {
  return finite.has(verb) || grammar.isPast(verb);
}

/** Returns the next word of the sentence, or the one after an adverb. */
export function verbAfter(tokens: readonly Token[], at: number, { grammar }: Language): string {
  const isHere = (next: number) => tokens[next]?.startsSentence === false;
  if (!isHere(at + 1)) return '';
  const next = tokens[at + 1]!.lower;
  return grammar.isAdverb(next) && isHere(at + 2) ? tokens[at + 2]!.lower : next;
}

/** Tells whether the name is in a list of names: `Hank and Will`, `Hank, Will and Luis`. */
function isListed({ tokens, at, isName, language }: AmbiguousName): boolean {
  const joined = (a: number, b: number) =>
    b - a === 2
      ? language.listJoins.has(tokens[a + 1]?.lower ?? '')
      : /^(?:, ?| ?& ?)$/.test(tokens[b]?.gap ?? '');
  return [1, 2].some(
    (step) =>
      (joined(at - step, at) && isName(at - step)) || (joined(at, at + step) && isName(at + step)),
  );
}

/** Tells whether a phrase ends with the name it addresses: `Thank you Will!`. */
function isThanked({ tokens, at, language }: AmbiguousName): boolean {
  const next = tokens[at + 1];
  const ends = next === undefined || /[.,!?)\n]/.test(next.gap);
  return ends && language.beforeVocative.has(tokens[at - 1]?.lower ?? '');
}
