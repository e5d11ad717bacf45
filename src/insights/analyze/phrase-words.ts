import { stem } from './inflections.ts';
import type { Token } from './tokens.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const NEGATIONS = words(
  "no not never none nor nothing without cannot don't doesn't didn't isn't wasn't aren't weren't " +
    "won't wouldn't couldn't shouldn't can't haven't hasn't hadn't",
);
/** May stand between a thing and what is said of it: `price was very fair`. */
const LINKS = words(
  'am are be been being could did do does gets get got had has have is it looks seemed seems should ' +
    'was were will would all also always both just',
);
const AUXILIARIES = words('am are be been being could has have is should was were will would');
const DEGREES = words(
  'absolutely all extremely fairly highly incredibly more most pretty quite really so super too ' +
    'totally truly very well way',
);
const PREPOSITIONS = words(
  'about after against around as at before behind beyond by during for from in into like of off on ' +
    'onto out over past per regarding since than through toward until up upon with within',
);
const DETERMINERS = words(
  'a an any each every her his its my no our some such that the their these this those your',
);
const PRONOUNS = words('he her him i it me myself she them they us we who you');
const PERSONS = words('he her him i me she them they us we you');
/** Behind a verb they complete it: `squeezed us in`, `talked me out`. */
const PARTICLES = words('away back down in off out over through up');
/** Said of anything, and of nothing. */
const COURTESIES = words('like please thank thanks want wish');
const JOINS = words('and because but if or so to when where which while');

export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word);
}

/** Whether a word only links a thing with what is said of it. */
export function isLink(word: string): boolean {
  return LINKS.has(word) || DEGREES.has(word) || NEGATIONS.has(word);
}

/** Whether a word says something by itself. */
export function isContent(word: string): boolean {
  return !isLink(word) && !isOpen(word) && !PRONOUNS.has(word);
}

/** Whether a phrase cannot end here: `easy to`, `cares about`, `worth every`. */
export function isOpen(word: string): boolean {
  return (
    AUXILIARIES.has(word) ||
    DEGREES.has(word) ||
    PREPOSITIONS.has(word) ||
    DETERMINERS.has(word) ||
    JOINS.has(word) ||
    NEGATIONS.has(word)
  );
}
export function isParticle(word: string): boolean {
  return PARTICLES.has(word);
}

export function isDeterminer(word: string): boolean {
  return DETERMINERS.has(word);
}

export function isDegree(word: string): boolean {
  return DEGREES.has(word);
}

export function isCourtesy(word: string): boolean {
  return COURTESIES.has(word);
}

export function isPerson(word: string): boolean {
  return PERSONS.has(word);
}

/**
 * The same for every wording of a phrase: its content, without order, number and tense. Every
 * penny, every cent and every bit are one.
 */
export function phraseKey(tokens: readonly Token[]): string {
  const content = tokens
    .filter(({ lower }, index) => isContent(lower) && tokens[index - 1]?.lower !== 'every')
    .map(({ lower }) => stem(lower));
  if (tokens.some(({ lower }) => isNegation(lower))) content.push(NOT);
  return [...new Set(content)].sort().join(' ');
}

const NOT = '!';

/** Whether one phrase says no more than the other: `great service`, `great customer service`. */
export function isSameMatter(a: string, b: string): boolean {
  const [less, more] = [a.split(' '), b.split(' ')].sort((x, y) => x.length - y.length);
  if (less!.includes(NOT) !== more!.includes(NOT)) return false;
  return less!.every((word) => more!.includes(word));
}
