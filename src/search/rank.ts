import type { Pieces } from './pieces.ts';
import { phraseOf, weigh, wordsMeeting } from './phrases.ts';
import type { ReadQuery } from './read-query.ts';
import { FOUND_FROM, WEIGHT, type Concept, type WordForms } from './word-forms.ts';
import { SENTENCE_END, type Places } from './word-index.ts';

/** Reviews whose texts are read for the order of the best. */
const MAX_READ = 200;
const MAX_WORDS = 12;
/** Reviews that are scored between two pauses. */
const STEP = 20;
/** Words that a sentence ends as far apart as this. */
const SENTENCE = 6;
/** BM25+, without the length of texts: how soon more of a word adds little, and what the first adds. */
const SATURATION = 1.2;
const FIRST = 0.5;
/** Added by two words of a query that are side by side. */
const BESIDE = 0.9;
/** Part of its rarity that a word which says little alone has. */
const SMALL = 0.2;

/** Words between the first and the last of some that are about one thing. */
const PASSAGE = 20;
/** Confidence below which results may be about anything: a question wants an answer, and words what comes near. */
const SURE_FROM = { question: 0.55, words: 0.42 };

export interface Ranked {
  /** Reviews that fit best, the best first. */
  positions: number[];
  /** The share of the query, by the rarity of its words, that the passage of a review has which has the most. */
  confidence: number;
  isSure: boolean;
}

/**
 * Returns the reviews that fit a query best, whether or not they have all its words.
 *
 * @param wanted the reviews that may be among them, if not all
 */
export function* rank(
  { all, none, isQuestion }: ReadQuery,
  places: Places,
  { index, language: { small } }: Pick<WordForms, 'index' | 'language'>,
  wanted: readonly number[] | undefined,
  limit: number,
): Pieces<Ranked> {
  const concepts = all
    .flat()
    .flatMap((sequence) => sequence.ranked ?? sequence.concepts)
    .slice(0, MAX_WORDS);
  let rough: Float32Array = new Float32Array(index.count);
  const weights = new Float32Array(index.count);
  const rarities: number[] = [];
  for (const concept of concepts) {
    weigh(weights.fill(0), concept, places, index);
    const share = small.has(concept.written) ? SMALL : 1;
    const rarity = share * Math.log(1 + index.count / (0.5 + countFrom(weights, FOUND_FROM)));
    addTimes(rough, weights, rarity);
    rarities.push(rarity);
    yield;
  }
  for (const { concepts: excluded } of none) {
    for (const review of yield* phraseOf(excluded, places, index)) rough[review] = 0;
  }
  if (wanted) rough = onlyAt(rough, wanted);
  yield;
  const best = greatest(rough, MAX_READ);
  yield;
  const met = wordsMeeting(concepts, index);
  const ranked: (Score & { position: number })[] = [];
  for (const [at, position] of best.entries()) {
    if (at % STEP === STEP - 1) yield;
    const score = scoreOf(index.wordsOf(position, places), concepts, rarities, met);
    ranked.push({ position, ...score });
  }
  ranked.sort((a, b) => b.score - a.score || a.position - b.position);
  const possible = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const confidence = Math.max(0, ...ranked.map(({ covered }) => covered)) / (possible || 1);
  return {
    positions: ranked.slice(0, limit).map(({ position }) => position),
    confidence,
    isSure: confidence >= SURE_FROM[isQuestion ? 'question' : 'words'],
  };
}

interface Score {
  score: number;
  /** Rarity of the words that one passage has, each by how it meets the query. */
  covered: number;
}

/** Scores a review by the rarity of the words it has, how often it has them, and how near. */
function scoreOf(
  texts: readonly Uint32Array[],
  concepts: readonly Concept[],
  rarities: readonly number[],
  met: Uint32Array,
): Score {
  const counts = concepts.map(() => 0);
  const last = concepts.map(() => -Infinity);
  const gaps = concepts.map(() => Infinity);
  const weights = concepts.map(() => 0);
  let covered = 0;
  let place = 0;
  for (const words of texts) {
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      place += word === SENTENCE_END ? SENTENCE : 1;
      const own = met[word]!;
      if (own === 0) continue;
      for (let index = concepts.length - 1; index >= 0; index--) {
        if ((own & (1 << index)) === 0) continue;
        const { forms, pairs } = concepts[index]!;
        const isSplit = pairs.some(([a, b]) => a === word && words[at + 1] === b);
        const weight = isSplit ? WEIGHT.joined : (forms.get(word) ?? 0);
        weights[index] = weight;
        counts[index]! += weight;
        last[index] = place;
        if (index > 0) gaps[index - 1] = Math.min(gaps[index - 1]!, place - last[index - 1]!);
        // The other way round is a little further.
        const back = place - (last[index + 1] ?? -Infinity) + 1;
        gaps[index] = Math.min(gaps[index]!, back);
      }
      covered = Math.max(covered, passage(place, last, weights, rarities));
    }
  }
  let score = 0;
  for (const [index, count] of counts.entries()) {
    const rarity = rarities[index]!;
    if (count > 0) {
      score += rarity * (((1 + SATURATION) * count) / (count + SATURATION) + FIRST);
    }
    const next = rarities[index + 1];
    if (next !== undefined)
      score += (2 * BESIDE * Math.sqrt(rarity * next)) / Math.max(1, gaps[index]!);
  }
  return { score, covered };
}

/** Adds up the rarity of the words that were last seen not far before a place. */
function passage(
  place: number,
  last: readonly number[],
  weights: readonly number[],
  rarities: readonly number[],
): number {
  return rarities.reduce((sum, rarity, index) => {
    const weight = weights[index]!;
    const isThere = weight >= FOUND_FROM && place - last[index]! <= PASSAGE;
    return isThere ? sum + rarity * weight : sum;
  }, 0);
}

/** Returns the places of the greatest numbers above 0. */
function greatest(numbers: Float32Array, count: number): number[] {
  const least = leastOfGreatest(numbers, count);
  const [above, equal]: [number[], number[]] = [[], []];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    if (number > least) above.push(at);
    else if (number === least && number > 0 && equal.length < count) equal.push(at);
  }
  return [...above, ...equal].slice(0, count);
}

/** Returns the least of the greatest numbers above 0; 0 if there are fewer. */
function leastOfGreatest(numbers: Float32Array, count: number): number {
  const greatest = new Float32Array(count);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    if (number <= greatest[0]!) continue;
    let place = 1;
    while (place < count && greatest[place]! < number) place++;
    greatest.copyWithin(0, 1, place);
    greatest[place - 1] = number;
  }
  return greatest[0]!;
}

/** Returns the numbers at some places, and 0 at all others. */
function onlyAt(numbers: Float32Array, places: readonly number[]): Float32Array {
  const only = new Float32Array(numbers.length);
  for (const place of places) only[place] = numbers[place]!;
  return only;
}

function countFrom(numbers: Float32Array, least: number): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! >= least) count++;
  return count;
}

function addTimes(sums: Float32Array, numbers: Float32Array, factor: number): void {
  for (let at = 0; at < sums.length; at++) sums[at]! += numbers[at]! * factor;
}
