import { ENGLISH } from '../languages/languages.ts';
import type { Token } from './tokens.ts';
import type { TradeSets } from './trade.ts';

/** An occurrence of a name that is also a common word. */
export interface AmbiguousName {
  tokens: readonly Token[];
  at: number;
  /** The required spelling. */
  exact: string;
  /** Tells whether the word at an index is any technician's name. */
  isName: (at: number) => boolean;
  trade: TradeSets;
}

/**
 * Tells whether an ambiguous name means the person. Its case must be exact, and inside a sentence a
 * cue must be next to it. Where a capital letter proves nothing (at the start of a sentence, or In
 * Title Case) only words count that cannot follow the other meaning: no modal precedes a finite
 * verb, and no month, bill or virtue fixes a pipe.
 */
export function isPerson(name: AmbiguousName): boolean {
  const { tokens, at, exact, trade } = name;
  const token = tokens[at]!;
  const written = token.text.replace(/['’]s$/, '');
  if (written !== exact) return false;
  const before = token.startsSentence ? '' : tokens[at - 1]!.lower;
  if (isPersonal(name) || isListed(name) || isDescribed(tokens, at)) return true;
  if (ENGLISH.nameDeterminers.has(before)) return false;
  const verb = verbAfter(tokens, at);
  const acts = isActionOf(token.lower, verb, trade) || isPraised(tokens, at);
  const possessive = written !== token.text;
  if (isCaseUninformative(tokens, at)) {
    if (!ENGLISH.modals.has(token.lower)) return acts;
    return possessive || isFinite(verb) || ENGLISH.namePrepositions.has(before);
  }
  if (ENGLISH.months.has(token.lower)) return acts;
  if (isThanked(tokens, at) || ENGLISH.namePrepositions.has(before)) return true;
  if (before === 'our' && ENGLISH.bills.has(token.lower)) return false;
  if (possessive || ENGLISH.beforePerson.has(before) || isApposed(name)) return true;
  const described = ENGLISH.nameDeterminers.has(tokens[at - 2]?.lower ?? '');
  return (
    acts || (!described && (ENGLISH.ambiguousActionVerbs.has(verb) || ENGLISH.states.has(verb)))
  );
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
    if (!/^\p{Lu}/u.test(text)) return false;
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
 * Tells whether the word before makes it a person: `our plumber Will`, `ask for May`, but not `Our
 * Plumber Will Return`.
 */
function isPersonal({ tokens, at, trade }: AmbiguousName): boolean {
  const { lower, startsSentence } = tokens[at]!;
  if (startsSentence) return false;
  const before = tokens[at - 1]!.lower;
  if (before === 'for' && /^(?:ask|request)/.test(tokens[at - 2]?.lower ?? '')) return true;
  const isTitle = trade.people.has(before);
  if (isTitle && ENGLISH.modals.has(lower) && inTitleCase(tokens, at)) return false;
  return isTitle || ENGLISH.personal.has(before);
}

/** Tells whether the verb needs a person, given the other meaning of the name. */
function isActionOf(name: string, verb: string, { actions }: TradeSets): boolean {
  if (actions.has(verb)) return true;
  if (ENGLISH.bills.has(name)) return false;
  if (ENGLISH.months.has(name)) return ENGLISH.speechVerbs.has(verb);
  return (
    ENGLISH.speechVerbs.has(verb) ||
    ENGLISH.ambiguousActionVerbs.has(verb) ||
    (isFinite(verb) && !ENGLISH.virtueVerbs.has(verb))
  );
}

/** Tells whether a quality of people follows within three words: `Grace was very kind`. */
function isPraised(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!;
  if (ENGLISH.bills.has(lower) || ENGLISH.months.has(lower)) return false;
  if (!ENGLISH.being.has(tokens[at + 1]?.lower ?? '')) return false;
  return tokens.slice(at + 2, at + 5).some((token) => ENGLISH.qualities.has(token.lower));
}

export function isFinite(verb: string): boolean {
  return ENGLISH.finite.has(verb) || ENGLISH.grammar.isPast(verb);
}

/** Returns the next word of the sentence, or the one after an adverb. */
export function verbAfter(tokens: readonly Token[], at: number): string {
  const isHere = (next: number) => tokens[next]?.startsSentence === false;
  if (!isHere(at + 1)) return '';
  const next = tokens[at + 1]!.lower;
  return ENGLISH.grammar.isAdverb(next) && isHere(at + 2) ? tokens[at + 2]!.lower : next;
}

/** A description between commas has at most this many words. */
const DESCRIPTION = 4;

/**
 * Tells whether words follow that only describe people: `Will, our server, was kind`, `Rose and her
 * team`. A month or a bill may be described as well.
 */
function isDescribed(tokens: readonly Token[], at: number): boolean {
  const [next, last] = [tokens[at + 1], tokens[at + 2]];
  if (!next || next.startsSentence) return false;
  if (next.lower === 'and') return /^(?:his|her)$/.test(last?.lower ?? '');
  const { lower } = tokens[at]!;
  if (!/^(?:our|the)$/.test(next.lower) || ENGLISH.months.has(lower) || ENGLISH.bills.has(lower))
    return false;
  const after = tokens.slice(at + 3, at + 3 + DESCRIPTION);
  return next.gap === ', ' && after.some(({ gap }) => gap.startsWith(','));
}

/** Tells whether it is in a list of names: `Hank and Will`, `Hank, Will and Luis`. */
function isListed({ tokens, at, isName }: AmbiguousName): boolean {
  const joined = (a: number, b: number) =>
    b - a === 2 ? tokens[a + 1]?.lower === 'and' : /^(?:, ?| ?& ?)$/.test(tokens[b]?.gap ?? '');
  return [1, 2].some(
    (step) =>
      (joined(at - step, at) && isName(at - step)) || (joined(at, at + step) && isName(at + step)),
  );
}

/** Tells whether a phrase ends with the name it addresses: `Thank you Will!`. */
function isThanked(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  const ends = next === undefined || /[.,!?)\n]/.test(next.gap);
  return ends && ENGLISH.beforeVocative.has(tokens[at - 1]?.lower ?? '');
}

/**
 * Tells whether a description follows: `Will the plumber`, `Will, our tech,`, `Grace I believe`.
 */
function isApposed({ tokens, at, trade }: AmbiguousName): boolean {
  const article = tokens[at + 1]?.lower ?? '';
  if (article === 'i') return /^(?:believe|guess|think)$/.test(tokens[at + 2]?.lower ?? '');
  return (article === 'the' || article === 'our') && trade.people.has(tokens[at + 2]?.lower ?? '');
}
