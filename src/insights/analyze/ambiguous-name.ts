import {
  ADVERB,
  AUXILIARIES,
  BASE_IN_ED,
  BEFORE_VOCATIVE,
  BEING,
  CRAFTS,
  DEEDS,
  DETERMINERS,
  FINITE,
  LINKS,
  LOOSE_DEEDS,
  MODALS,
  MONTHS,
  PAPERS,
  PERSONAL,
  PREPOSITIONS,
  QUALITIES,
  SPOKEN,
  STATES,
} from './person-cues.ts';
import type { Token } from './tokens.ts';

/** A form of a name that is also a common word, where it stands in a text. */
export interface AmbiguousName {
  tokens: readonly Token[];
  at: number;
  /** The spelling it must have. */
  exact: string;
  /** Whether the word at a place is some technician's name. */
  isName: (at: number) => boolean;
}

/**
 * Whether an ambiguous name means the person: only in its exact case and, inside a sentence,
 * beside a cue. Where a capital letter proves nothing (a sentence begins, or a line is In Title
 * Case) only those words count that the other meaning could not stand beside: no modal stands
 * before a finite verb, and no month, bill or virtue fixes a pipe.
 */
export function isPerson(name: AmbiguousName): boolean {
  const { tokens, at, exact } = name;
  const token = tokens[at]!;
  const written = token.text.replace(/['’]s$/, '');
  if (written !== exact) return false;
  const before = token.startsSentence ? '' : tokens[at - 1]!.lower;
  if (isPersonal(tokens, at) || isListed(name)) return true;
  if (DETERMINERS.has(before)) return false;
  const verb = verbAfter(tokens, at);
  const acts = isDeedOf(token.lower, verb) || isPraised(tokens, at);
  const possessive = written !== token.text;
  if (capitalSaysNothing(tokens, at)) {
    if (!MODALS.has(token.lower)) return acts;
    return possessive || isFinite(verb) || PREPOSITIONS.has(before);
  }
  if (MONTHS.has(token.lower)) return acts;
  if (isThanked(tokens, at) || PREPOSITIONS.has(before)) return true;
  if (before === 'our' && PAPERS.has(token.lower)) return false;
  if (possessive || LINKS.has(before) || isApposed(tokens, at)) return true;
  const described = DETERMINERS.has(tokens[at - 2]?.lower ?? '');
  return acts || (!described && (LOOSE_DEEDS.has(verb) || STATES.has(verb)));
}

/** No headline is longer to either side, so no more of a sentence is looked at. */
const TITLE_REACH = 40;

/** Whether every longer word of the sentence is capitalised, so that one more says nothing. */
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

function capitalSaysNothing(tokens: readonly Token[], at: number): boolean {
  const { startsSentence, gap } = tokens[at]!;
  return startsSentence || /[:;"“”(–—-]/.test(gap) || inTitleCase(tokens, at);
}

/** `our plumber Will`, `ask for May`; but `Our Plumber Will Return`. */
function isPersonal(tokens: readonly Token[], at: number): boolean {
  const { lower, startsSentence } = tokens[at]!;
  if (startsSentence) return false;
  const before = tokens[at - 1]!.lower;
  if (before === 'for' && /^(?:ask|request)/.test(tokens[at - 2]?.lower ?? '')) return true;
  if (CRAFTS.has(before) && MODALS.has(lower) && inTitleCase(tokens, at)) return false;
  return PERSONAL.has(before);
}

/** Whether the verb takes a person, for what else the name may be. */
function isDeedOf(name: string, verb: string): boolean {
  if (DEEDS.has(verb)) return true;
  if (PAPERS.has(name)) return false;
  if (MONTHS.has(name)) return SPOKEN.has(verb);
  return SPOKEN.has(verb) || LOOSE_DEEDS.has(verb) || (isFinite(verb) && !AUXILIARIES.has(verb));
}

/** `Grace was very kind`: up to three words on, a quality of people. */
function isPraised(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!;
  if (PAPERS.has(lower) || MONTHS.has(lower)) return false;
  if (!BEING.has(tokens[at + 1]?.lower ?? '')) return false;
  return tokens.slice(at + 2, at + 5).some((token) => QUALITIES.has(token.lower));
}

function isFinite(verb: string): boolean {
  return FINITE.has(verb) || (verb.endsWith('ed') && !BASE_IN_ED.test(verb));
}

/** The word behind the name in its sentence, past one adverb. */
function verbAfter(tokens: readonly Token[], at: number): string {
  const isHere = (next: number) => tokens[next]?.startsSentence === false;
  if (!isHere(at + 1)) return '';
  const next = tokens[at + 1]!.lower;
  return ADVERB.test(next) && isHere(at + 2) ? tokens[at + 2]!.lower : next;
}

/** `Hank and Will`, `Hank, Will and Luis`. */
function isListed({ tokens, at, isName }: AmbiguousName): boolean {
  const joined = (a: number, b: number) =>
    b - a === 2 ? tokens[a + 1]?.lower === 'and' : /^(?:, ?| ?& ?)$/.test(tokens[b]?.gap ?? '');
  return [1, 2].some(
    (step) =>
      (joined(at - step, at) && isName(at - step)) || (joined(at, at + step) && isName(at + step)),
  );
}

/** `Thank you Will!`, and no verb behind it. */
function isThanked(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  const ends = next === undefined || /[.,!?)\n]/.test(next.gap);
  return ends && BEFORE_VOCATIVE.has(tokens[at - 1]?.lower ?? '');
}

/** `Will the plumber`, `Will, our tech,`, `Grace I believe`. */
function isApposed(tokens: readonly Token[], at: number): boolean {
  const article = tokens[at + 1]?.lower ?? '';
  if (article === 'i') return /^(?:believe|guess|think)$/.test(tokens[at + 2]?.lower ?? '');
  return (article === 'the' || article === 'our') && CRAFTS.has(tokens[at + 2]?.lower ?? '');
}
