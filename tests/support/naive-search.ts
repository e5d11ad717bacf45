import { newestFirst } from '../../src/dataset/publish.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import type { Review } from '../../src/schema/review.ts';
import type { Sort, ReviewFilters, SearchFilters } from '../../src/schema/search.ts';
import type { EditionNames } from '../../src/search/filter-names.ts';
import type { NamedId } from '../../src/search/names.ts';
import { eachWord, wordsIn } from '../../src/search/tokens.ts';
import { languageWords } from '../../src/search/language-words.ts';

/** Everything that a search can depend on, as it is published. */
export interface Published {
  reviews: readonly Review[];
  names: EditionNames;
  /** As in insights.json; filters by labels match nothing without it. */
  perReview?: Readonly<Record<string, PerReview>>;
}

/** Search as the contract words it: looks at every review, knows no index. */
export function naiveSearch(
  published: Published,
  filters: SearchFilters,
): { matched: number; reviews: Review[] } {
  const matching = naiveMatches(published, filters).toSorted(
    filters.sort === 'telling' ? mostTelling(published) : ORDERS[filters.sort ?? 'newest'],
  );
  return { matched: matching.length, reviews: matching.slice(0, filters.limit) };
}

type Order = (a: Review, b: Review) => number;

const ORDERS: Record<Exclude<Sort, 'telling'>, Order> = {
  newest: newestFirst,
  oldest: (a, b) => newestFirst(b, a),
  highest: (a, b) => b.rating - a.rating || newestFirst(a, b),
  lowest: (a, b) => a.rating - b.rating || newestFirst(a, b),
  longest: (a, b) => (b.text?.length ?? 0) - (a.text?.length ?? 0) || newestFirst(a, b),
};

/** Recent ones before others, those of 40 to 120 words before others, then by the aspects they name. */
function mostTelling({ reviews, perReview = {} }: Published): Order {
  const newest = Math.max(...reviews.map(({ date }) => Date.parse(date)));
  const ranksOf = ({ id, date, text }: Review) => {
    const words = text?.match(/\S+/g)?.length ?? 0;
    const named = perReview[id]?.aspects.filter((aspect) => aspect.id !== 'overall') ?? [];
    return [
      newest - Date.parse(date) <= 548 * 86_400_000 ? 1 : 0,
      words >= 40 && words <= 120 ? 1 : 0,
      named.length,
    ];
  };
  return (a, b) => {
    const [ranksOfA, ranksOfB] = [ranksOf(a), ranksOf(b)];
    const differing = ranksOfA.findIndex((rank, at) => rank !== ranksOfB[at]);
    return differing === -1 ? newestFirst(a, b) : ranksOfB[differing]! - ranksOfA[differing]!;
  };
}

/** Returns every review that matches, in no order. */
export function naiveMatches(
  { reviews, names, perReview = {} }: Published,
  filters: ReviewFilters,
): Review[] {
  const aspects = labelledIdsOf(names.aspects, filters.aspect);
  const sources = filters.source?.toLowerCase().split(',');
  const without = sources?.flatMap((name) => (name.startsWith('-') ? name.slice(1) : []));
  const from = sources?.filter((name) => !name.startsWith('-')) ?? [];
  const technicians = idsOf(names.technicians, filters.mentions_technician);
  const services = idsOf(names.services, filters.mentions_service);
  const problems = idsOf(names.problems, filters.mentions_problem);
  const areas = idsOf(names.service_areas, filters.mentions_area);
  const topics = labelledIdsOf(names.topics, filters.topic);
  const aspectWord = narrowWord(names.aspects, filters.aspect);
  const topicWord = narrowWord(names.topics, filters.topic);
  const places = filters.in ?? (filters.match === 'words' ? ['text', 'title'] : ['text']);
  return reviews.filter((review) => {
    const labels = perReview[review.id];
    const sentiments = technicians
      ? labels && naiveJudgments(review, labels, technicians)
      : aspectWord
        ? naiveMentions(labels, aspectWord)
        : aspects
          ? labels?.aspects.filter(({ id }) => aspects.has(id)).map(({ sentiment }) => sentiment)
          : labels && [labels.sentiment];
    return (
      (filters.rating === undefined || review.rating === filters.rating) &&
      (filters.min_rating === undefined || review.rating >= filters.min_rating) &&
      (filters.max_rating === undefined || review.rating <= filters.max_rating) &&
      (filters.since === undefined || review.date >= filters.since) &&
      (filters.until === undefined || review.date <= filters.until) &&
      (filters.query === undefined ||
        (filters.match === 'words'
          ? hasAllWords(
              places.map((place) => review[place]),
              filters.query,
            )
          : places.some((place) => contains(review[place], filters.query!)))) &&
      (from.length === 0 || from.includes(review.source)) &&
      without?.includes(review.source) !== true &&
      (filters.attribute === undefined || hasAttribute(review, filters.attribute)) &&
      (filters.language === undefined || speaks(review, filters.language)) &&
      (filters.has_reply === undefined || (review.owner_reply !== null) === filters.has_reply) &&
      (filters.has_text === undefined || (review.text !== null) === filters.has_text) &&
      (!aspectWord || mentions(review, aspectWord)) &&
      (!topicWord || mentions(review, topicWord)) &&
      (!aspects || aspectWord || labels?.aspects.some(({ id }) => aspects.has(id)) === true) &&
      (filters.sentiment === undefined || sentiments?.includes(filters.sentiment) === true) &&
      (!problems || labels?.problems.some((id) => problems.has(id)) === true) &&
      (!areas || labels?.service_areas.some((id) => areas.has(id)) === true) &&
      (!topics || topicWord || labels?.topics.some((id) => topics.has(id)) === true) &&
      (!technicians || review.mentions.technicians.some((id) => technicians.has(id))) &&
      (!services || review.mentions.services.some((id) => services.has(id)))
    );
  });
}

/** Tells if a text has a pattern in it, in whatever case and Unicode form either is written. */
export function contains(text: string | null, pattern: string): boolean {
  return text !== null && comparable(text).includes(comparable(pattern));
}

/** Returns the sides a review takes on people; one without praise or criticism of the person is neutral. */
export function naiveJudgments(
  review: Review,
  labels: PerReview,
  people: ReadonlySet<string>,
): string[] {
  return review.mentions.technicians
    .filter((id) => people.has(id))
    .map((id) => labels.technician_opinions.find((each) => each.id === id)?.sentiment ?? 'neutral');
}

/** A word for a part of an aspect or topic, which is no name of it. */
export interface NarrowWord {
  words: readonly string[];
  wider: ReadonlySet<string>;
}

/** Returns the meaning of a name that is neither an id nor a label, but a term for a part of some. */
export function narrowWord(
  entries: readonly NamedId[] = [],
  name: string | undefined,
): NarrowWord | undefined {
  if (name === undefined || labelledIdsOf(entries, name)!.size > 0) return undefined;
  const wanted = comparable(name);
  const having = entries.filter(({ names }) => names.some((each) => comparable(each) === wanted));
  if (having.length === 0) return undefined;
  return { words: wordsIn(name), wider: new Set(having.map(({ id }) => id)) };
}

function mentions({ text, title }: Review, { words }: NarrowWord): boolean {
  return [text, title].some((each) => each !== null && hasTerm(each, words));
}

/** Tells if a text has the words of a term side by side, each in any form, or joined and split. */
function hasTerm(text: string, words: readonly string[]): boolean {
  const own: string[] = [];
  eachWord(text, (word) => own.push(word || '.'));
  const same = (one: string, other: string) =>
    one === other || (!SMALL.has(other) && isForm(one, other));
  return own.some((_, at) => {
    if (words.every((word, index) => same(own[at + index] ?? '', word))) return true;
    return [1, 2].some((length) => same(own.slice(at, at + length).join(''), words.join('')));
  });
}

/** Returns the sides of the quoted clauses that have a word; neutral if there is none. */
export function naiveMentions(
  labels: PerReview | undefined,
  { words, wider }: NarrowWord,
): string[] {
  const sides = (labels?.aspects ?? [])
    .filter(({ id, quote }) => wider.has(id) && quote !== null && hasTerm(quote, words))
    .map(({ sentiment }) => sentiment);
  return sides.length > 0 ? sides : ['neutral'];
}

/** Words that a query reads in another way, and endings, of the English and Spanish fixtures. */
const { small: SMALL, endings: ENDINGS } = languageWords(['en', 'es']);

/**
 * Tells if texts have all words of a query: themselves, in another form, or as the beginning of longer ones.
 * For queries of long words that occur, without small ones.
 */
function hasAllWords(texts: readonly (string | null)[], query: string): boolean {
  const words = wordsIn(query);
  if (words.some((word) => SMALL.has(word))) throw new Error(`small words in ${query}`);
  const own = texts.flatMap((text) => {
    const all = text === null ? [] : wordsIn(text);
    return [...all, ...all.slice(1).map((word, at) => all[at]! + word)];
  });
  return words.every((word) => own.some((each) => each.startsWith(word) || isForm(each, word)));
}

/** Tells if two words are the same but for their endings, or the first is made of the second. */
function isForm(one: string, other: string): boolean {
  let stem = 0;
  while (stem < one.length && one[stem] === other[stem]) stem++;
  const [rest, asked] = [one.slice(stem), other.slice(stem)];
  if (stem < 4) return stem === 3 && [rest, asked].every((each) => ['', 's', 'es'].includes(each));
  const undoubled = (rest: string) =>
    rest.length > 2 && rest[0] === one[stem - 1] ? rest.slice(1) : rest;
  return ENDINGS.some(({ own, derived }) => {
    const both = own.union(derived);
    const isIn = (endings: ReadonlySet<string>, text: string) =>
      endings.has(text) || endings.has(undoubled(text));
    if (isIn(own, asked)) return isIn(both, rest);
    return isIn(derived, asked) && isIn(stem < 8 ? derived : both, rest);
  });
}

/** The same few texts are asked for thousands of times. */
const known = new Map<string, string>();

/** Half of a surrogate pair has no UTF-8 form: it can only be the replacement character. */
function comparable(text: string): string {
  let form = known.get(text);
  if (form === undefined) {
    form = text.toWellFormed().normalize('NFC').toLowerCase().split('’').join("'");
    known.set(text, form);
  }
  return form;
}

/** Tells if a review has a value of a kept column, with or without the name of the column. */
function hasAttribute({ attributes = {} }: Review, wanted: string): boolean {
  const named = Object.entries(attributes).flatMap(([name, value]) => [value, `${name}: ${value}`]);
  return named.some((each) => comparable(each) === comparable(wanted));
}

/** Tells if a review has words, in a language or one of its variants. */
function speaks({ language: tag, text, title }: Review, language: string): boolean {
  return (text ?? title) !== null && (tag === language || tag.startsWith(`${language}-`));
}

/** The same for aspects and topics, named only by terms that begin like id or label. */
export function labelledIdsOf(entries: readonly NamedId[] = [], name: string | undefined) {
  if (name === undefined) return undefined;
  const labelled = labelledBefore.get(entries) ?? entries.map(withOwnTerms);
  labelledBefore.set(entries, labelled);
  return idsOf(labelled, name);
}

/** The same few vocabularies are asked for thousands of times. */
const labelledBefore = new WeakMap<readonly NamedId[], NamedId[]>();

function withOwnTerms({ id, names: [label, ...terms] }: NamedId): NamedId {
  const isOwn = (term: string) =>
    [id, label!].some((own) => {
      const ofOwn = beginningsOf(own).filter((beginning) => beginning.length === 4);
      return ofOwn.length > 0 && isEqual(new Set(ofOwn), new Set(beginningsOf(term)));
    });
  return { id, names: [label!, ...terms.filter(isOwn)] };
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.symmetricDifference(other).size === 0;
}

function singularOf(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.replace(/(?<=s|x|z|ch|sh)es$|s$/, '');
}

/** Returns the first four letters of each word in the singular. */
function beginningsOf(text: string): string[] {
  return (comparable(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    singularOf(word).slice(0, 4),
  );
}

/** The ids a name stands for; undefined when no name was given. An id means itself alone. */
export function idsOf(
  entries: readonly NamedId[] = [],
  name: string | undefined,
): ReadonlySet<string> | undefined {
  if (name === undefined) return undefined;
  const wanted = comparable(name);
  const namesOf: ((entry: NamedId) => (string | undefined)[])[] = [
    ({ id }) => [id],
    ({ names }) => [names[0]],
    ({ names }) => names,
  ];
  for (const candidates of namesOf) {
    const found = entries.filter((entry) =>
      candidates(entry).some((each) => each !== undefined && comparable(each) === wanted),
    );
    if (found.length > 0) return new Set(found.map(({ id }) => id));
  }
  return new Set();
}
