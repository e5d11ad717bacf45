import type { QueryPlace } from '../schema/groups.ts';
import type { QueryReading } from '../schema/search.ts';
import { fold } from './tokens.ts';
import { languageWords, type LanguageWords } from './language-words.ts';
import { Lru } from '../base/kept.ts';
import { marksIn } from './marks.ts';
import { allOf, nearOf, phraseOf } from './phrases.ts';
import { atOnce, type Pieces } from './pieces.ts';
import { rank, type Ranked } from './rank.ts';
import { findString, type Narrow, type SearchedTexts } from './strings.ts';
import { readQuery, readString, readTerm, type ReadQuery, type Sequence } from './read-query.ts';
import { WordForms, type Concept } from './word-forms.ts';
import { placesOf } from './word-index.ts';

/** A query with the places that it searches. */
export interface Asked {
  query: string;
  /** A term is looked for as words side by side, in singular or plural. */
  match?: 'substring' | 'words' | 'term' | undefined;
  in?: readonly QueryPlace[] | undefined;
}

/** The reviews that meet a query, newest first. */
export interface Found {
  positions: readonly number[];
  /** The reviews with the phrase, with its words near each other, and with all words, if these were searched. */
  levels: Partial<Record<'phrase' | 'near' | 'all', readonly number[]>>;
  /** Small words without which there is a review with all the others. */
  ignored: string[];
}

/** Reviews that are kept of the last queries, all of them together, with the letters of the queries. */
const KEPT_MATCHES = 200_000;
const KEPT_READINGS = 100;
const WORD_PLACES: readonly QueryPlace[] = ['text', 'title'];
const STRING_PLACES: readonly QueryPlace[] = ['text'];

function keyOf({ query, match, in: places }: Asked): string {
  return JSON.stringify([match, places, query]);
}

/** Tells a string from words. */
function isString(match: Asked['match']): boolean {
  return match === undefined || match === 'substring';
}

/** Reads queries, and finds the reviews that meet them. */
export class WordSearch {
  readonly #columns: SearchedTexts;
  readonly #forms: WordForms;
  readonly #readings = new Lru<ReadQuery>(KEPT_READINGS);
  readonly #matches = new Lru<Found>(KEPT_MATCHES, ({ positions, levels }, query) =>
    [query, ...Object.values(levels)].reduce((sum, { length }) => sum + length, positions.length),
  );

  /** @param languages of the reviews, as BCP 47 tags @param pages those of pages */
  constructor(columns: SearchedTexts, languages: readonly string[], pages: readonly string[]) {
    this.#columns = columns;
    this.#forms = new WordForms(columns.words, languageWords(languages, pages));
  }

  get language(): LanguageWords {
    return this.#forms.language;
  }

  /** Tells whether enough reviews have a term; of two, it is no typo. */
  isUsed(term: string, least = 2): boolean {
    return this.find({ query: term, match: 'term' }).length >= least;
  }

  *read({ query, match, in: places = WORD_PLACES }: Asked): Pieces<ReadQuery> {
    if (match === 'term') return readTerm(query, placesOf(places), this.#forms);
    if (match !== 'words') return readString(query);
    const key = JSON.stringify([places, query]);
    const kept = this.#readings.find(key);
    if (kept) return kept;
    const reading = yield* readQuery(query, placesOf(places), this.#forms);
    this.#readings.keep(key, reading);
    return reading;
  }

  find(asked: Asked): readonly number[] {
    return atOnce(this.findInPieces(asked)).positions;
  }

  /** Finds the reviews that meet a query. */
  *findInPieces(asked: Asked): Pieces<Found> {
    const key = keyOf(asked);
    const kept = this.#matches.find(key);
    if (kept) return kept;
    const found = yield* this.#look(yield* this.read(asked), asked);
    this.#matches.keep(key, found);
    return found;
  }

  /**
   * Returns the reviews that meet a query and pass other tests, which come before texts are read for a string.
   *
   * @param narrow leaves reviews out
   */
  *findAmong(asked: Asked, narrow: Narrow): Pieces<readonly number[]> {
    const key = keyOf(asked);
    if (!isString(asked.match) || this.#matches.find(key)) {
      return narrow((yield* this.findInPieces(asked)).positions);
    }
    let isNarrowed = false;
    const positions = yield* findString(
      this.#columns,
      fold(asked.query),
      asked.in ?? STRING_PLACES,
      (reviews) => {
        const narrowed = narrow(reviews);
        isNarrowed = narrowed.length < reviews.length;
        return narrowed;
      },
    );
    if (!isNarrowed) this.#matches.keep(key, { positions, levels: {}, ignored: [] });
    return positions;
  }

  *#look({ all, none }: ReadQuery, asked: Asked): Pieces<Found> {
    const found: Found = { positions: [], levels: {}, ignored: [] };
    const { positions: everything } = this.#columns;
    let own = everything;
    let rest = everything;
    for (const any of all) {
      const having: (readonly number[])[] = [];
      for (const sequence of any) having.push(yield* this.#having(sequence, asked, found));
      const [first = [], ...others] = having;
      const meeting =
        others.length === 0 ? first : [...new Set(having.flat())].sort((a, b) => a - b);
      if (any.some(({ as }) => as === 'phrase first')) own = meeting;
      else rest = rest === everything ? meeting : intersection(rest, meeting);
    }
    const out = new Set<number>();
    for (const sequence of none) {
      for (const position of yield* this.#having(sequence, asked)) out.add(position);
    }
    if (out.size > 0) rest = rest.filter((position) => !out.has(position));
    yield;
    for (const [level, positions] of Object.entries(found.levels)) {
      found.levels[level as keyof Found['levels']] = intersection(positions, rest);
    }
    return { ...found, positions: own === everything ? rest : intersection(own, rest) };
  }

  /** Returns the reviews with a sequence; of a phrase that is looked for first, notes each level and what it ignores. */
  *#having(
    { as, concepts, isFew, written }: Sequence,
    { match, in: given }: Asked,
    { levels, ignored }: Pick<Found, 'levels' | 'ignored'> = { levels: {}, ignored: [] },
  ): Pieces<readonly number[]> {
    const { index, language } = this.#forms;
    const asked = given ?? (isString(match) ? STRING_PLACES : WORD_PLACES);
    if (as === 'string') return yield* findString(this.#columns, written, asked);
    const places = placesOf(asked);
    if (as === 'words') {
      const all = yield* allOf(concepts, places, index);
      const phrase = isFew ? yield* phraseOf(concepts, places, index) : all;
      if (phrase.length < all.length) Object.assign(levels, { phrase, all });
      return all;
    }
    const phrase = yield* phraseOf(concepts, places, index);
    if (as === 'phrase' || concepts.length < 2) return phrase;
    const telling = concepts.filter((concept) => !language.articles.has(concept.written));
    levels.phrase = phrase;
    levels.all = yield* allOf(telling, places, index);
    if (phrase.length > 0) return phrase;
    levels.near = yield* nearOf(telling, places, index);
    if (levels.near.length > 0) return [...levels.near];
    const isSmall = ({ written }: Concept) =>
      language.small.has(written) && !language.telling.has(written);
    const long = concepts.filter((concept) => !isSmall(concept));
    if (levels.all.length === 0 && long.length > 0 && long.length < concepts.length) {
      levels.all = yield* allOf(long, places, index);
      ignored.push(...concepts.filter(isSmall).map((concept) => concept.written));
    }
    return [...levels.all];
  }

  /** Returns the reviews that have one word of a query. */
  having(concept: Concept, { in: places = WORD_PLACES }: Pick<Asked, 'in'>): Pieces<number[]> {
    return allOf([concept], placesOf(places), this.#forms.index);
  }

  /** Tells whether a text has one word of a query. */
  hasConcept(text: string, concept: Concept): boolean {
    const all: Sequence[][] = [[{ concepts: [concept], as: 'words', written: '' }]];
    return marksIn(text, { all }, this.#columns.words, false).length > 0;
  }

  /** Returns the ranges of a text that match a query. */
  marksIn(text: string, reading: ReadQuery, { levels }: Pick<Found, 'levels'> = { levels: {} }) {
    return marksIn(text, reading, this.#columns.words, (levels.phrase?.length ?? 0) > 0);
  }

  /** Returns the reviews that fit a query best. @param wanted those that may be among them, if not all */
  *rank(asked: Asked, limit: number, wanted?: readonly number[]): Pieces<Ranked> {
    const reading = yield* this.read(asked);
    return yield* rank(reading, placesOf(asked.in ?? WORD_PLACES), this.#forms, wanted, limit);
  }

  /** Returns the reading of a query as answers say it. */
  *explain(asked: Asked): Pieces<QueryReading> {
    const { all, none, corrected, suggested, spelled, ...reading } = yield* this.read(asked);
    const { ignored: small } = yield* this.findInPieces(asked);
    const ignored = [...reading.ignored, ...small];
    const index = this.#columns.words;
    const formsOf = ({ pairs, joined }: Concept): string[] => [
      ...pairs.map((pair) => pair.map((id) => index.termOf(id)).join(' ')),
      ...Array.from(joined, (id) => index.termOf(id)),
    ];
    const spellings = Object.entries(spelled).map(([word, other]) => [word, [other]] as const);
    const joined = all.flat().flatMap(({ concepts }) =>
      concepts.flatMap((concept, at): [string, string[]][] => {
        const next = concept.joined.size > 0 ? ` ${concepts[at + 1]!.written}` : '';
        const forms = formsOf(concept);
        return forms.length > 0 ? [[concept.written + next, forms]] : [];
      }),
    );
    return {
      words: [
        ...all.flatMap((any) =>
          any.length > 1 ? any.map(inWords).join(' OR ') : wordsOf(any[0]!),
        ),
        ...none.map((sequence) => `-${inWords(sequence)}`),
      ],
      ...(Object.keys(corrected).length > 0 && { corrected }),
      ...(Object.keys(suggested).length > 0 && { suggested }),
      ...(joined.length + spellings.length > 0 && {
        joined: Object.fromEntries([...spellings, ...joined]),
      }),
      ...(ignored.length > 0 && { ignored }),
    };
  }
}

function inWords({ as, written }: Sequence): string {
  return as === 'string' ? `"${written}"` : written;
}

function wordsOf(sequence: Sequence): string[] {
  return sequence.as === 'string' || sequence.as === 'phrase'
    ? [inWords(sequence)]
    : sequence.concepts.map(({ written }) => written);
}

/** Returns what two lists have in common, each in ascending order. */
function intersection(one: readonly number[], other: readonly number[]): readonly number[] {
  let at = 0;
  return one.filter((position) => {
    while (other[at]! < position) at++;
    return other[at] === position;
  });
}
