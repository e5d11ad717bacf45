import { shiftDay } from '../../base/days.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { starsWorth } from '../analyze/polarity-model.ts';
import { starSentiment } from '../analyze/polarity.ts';
import { tokenize } from '../analyze/tokens.ts';
import type { Language } from '../languages/language.ts';
import { ENGLISH, knownLanguage } from '../languages/languages.ts';
import { shouts } from './phrases.ts';

/** A verbatim piece of a review that may be quoted. */
export interface Quotable {
  review: Pick<Review, 'id' | 'date' | 'rating' | 'language'>;
  text: string;
  sentiment: Sentiment;
  /** From 0 to 1: how clear its side is by its words, without the stars. */
  clarity: number;
  /** Number of aspects that the quote mentions. */
  aspects: number;
  /** True if it opens a paragraph: then it may lack a full stop. */
  opens: boolean;
}

const LENGTH = { min: 25, max: 170 };
/** Longest quote without a full stop. */
const OPENING_MAX = 110;
/** Quotes of this time before the newest review come first. */
const RECENT_DAYS = 2 * 365;
/** Only so many candidates are compared with each other: the newest of the best. */
const COMPARED = 300;
/** Quotes that share more of their words say the same. */
const SAME = 0.6;

/**
 * Orders quotes of one side, best first: those that read on their own before others, newer before
 * older, then the most typical. A quote is
 * typical if many others use its words; it counts less if its side is unclear or if it speaks of several
 * aspects. Quotes that repeat a better one are left out.
 *
 * @param quotes newest first
 * @param newest day of the newest review
 */
export function rankQuotes(quotes: readonly Quotable[], newest: string): Quotable[] {
  const compared = candidates(quotes, newest).map((one) => ({
    ...one,
    words: distinctWords(one.quote),
  }));
  const uses = new Map<string, number>();
  for (const { words } of compared) {
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  const ranked = compared
    .map((one) => ({ ...one, worth: worth(one.quote, one.words, uses) }))
    .sort(
      (a, b) =>
        a.tier - b.tier || b.worth - a.worth || (a.quote.review.id < b.quote.review.id ? 1 : -1),
    );
  const chosen: typeof ranked = [];
  for (const one of ranked) {
    if (!chosen.some((other) => saysTheSame(one.words, other.words))) chosen.push(one);
  }
  return chosen.map(({ quote }) => quote);
}

/** Returns the newest quotes of the best tiers. */
function candidates(
  quotes: readonly Quotable[],
  newest: string,
): { quote: Quotable; tier: number }[] {
  const recent = shiftDay(newest, -RECENT_DAYS);
  const tierOf = (quote: Quotable) =>
    (isPresentable(quote) ? 0 : 2) + Number(quote.review.date <= recent);
  return quotes
    .map((quote) => ({ quote, tier: tierOf(quote) }))
    .sort((a, b) => a.tier - b.tier)
    .slice(0, COMPARED);
}

function worth(
  { clarity, aspects }: Quotable,
  words: ReadonlySet<string>,
  uses: ReadonlyMap<string, number>,
): number {
  let typical = 0;
  for (const word of words) typical += Math.log(1 + uses.get(word)!);
  const probability = (1 + clarity) / 2;
  return ((typical / (words.size + 1)) * probability ** 2) / Math.sqrt(Math.max(1, aspects));
}

function saysTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.intersection(b).size > SAME * Math.min(a.size, b.size);
}

function distinctWords(quote: Quotable): ReadonlySet<string> {
  const language = languageOf(quote.review);
  const words = wordsOf(quote.text, language).filter(
    (word) => word.length > 2 && language.isContent(word),
  );
  return new Set(words.map(language.grammar.stem));
}

/** Returns the words of a text in lower form. */
function wordsOf(text: string, language: Language): string[] {
  return tokenize(text, language).map(({ lower }) => lower);
}

function languageOf({ language }: Pick<Review, 'language'>): Language {
  return knownLanguage(language) ?? ENGLISH;
}

/**
 * Returns the best quotes of both sides, in proportion to their number, each side at least once.
 *
 * @param quotes newest first; neutral ones are used only if no quote takes a side
 */
export function bothSides(
  quotes: readonly Quotable[],
  limit: number,
  newest: string | undefined,
): Quotable[] {
  if (newest === undefined) return [];
  const of = (side: Sentiment) => quotes.filter(({ sentiment }) => sentiment === side);
  const [positive, negative] = [of('positive'), of('negative')];
  const sided = positive.length + negative.length;
  if (sided === 0) return rankQuotes(quotes, newest).slice(0, limit);
  const praise = rankQuotes(positive, newest);
  const criticism = rankQuotes(negative, newest);
  const share = Math.round((positive.length / sided) * limit);
  const room = limit - Math.min(1, criticism.length);
  const forPraise = Math.min(room, Math.max(1, share));
  const chosen = praise.slice(0, forPraise);
  return [...chosen, ...criticism.slice(0, limit - chosen.length)];
}

/**
 * Picks one sentence for the home page, from five-star reviews without criticism. Returns null if
 * no sentence reads on its own and says its side alone.
 *
 * @param reviews newest first
 */
export function pullQuote(
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): InsightsDataset['pull_quote'] {
  const quotes = reviews.flatMap((review): Quotable[] => {
    const { aspects } = perReview[review.id]!;
    if (review.rating < 5 || aspects.some(({ sentiment }) => sentiment === 'negative')) return [];
    const praise = aspects.filter(({ sentiment, alone }) => sentiment === 'positive' && alone);
    return quotables(review, praise).filter(
      (quote) => isShowable(quote) && quote.text.length >= 40,
    );
  });
  const [newest] = reviews;
  const [best] = newest ? rankQuotes(quotes, newest.date) : [];
  return best ? { text: best.text, review_id: best.review.id } : null;
}

/** Returns the quotes of a review's labels, each once, with the clearest label. */
export function quotables(
  review: Review,
  labels: readonly Pick<PerReview['aspects'][number], 'quote' | 'sentiment' | 'score'>[],
): Quotable[] {
  const quoted = Map.groupBy(labels, ({ quote }) => quote);
  return [...quoted].flatMap(([text, [label, ...others]]) =>
    text === null
      ? []
      : {
          review,
          text,
          sentiment: label!.sentiment,
          clarity: Math.max(
            ...[label!, ...others].map(({ score }) => clarity(score, review.rating)),
          ),
          aspects: 1 + others.length,
          opens: opensParagraph(review, text),
        },
  );
}

/** Tells whether a piece begins the text of a review, or a line of it. */
function opensParagraph({ text }: Pick<Review, 'text'>, piece: string): boolean {
  return text !== null && (text.startsWith(piece) || text.includes(`\n${piece}`));
}

/** Takes the part of the stars off a score. */
function clarity(score: number, rating: number): number {
  const side = Math.sign(score);
  const words = Math.atanh(Math.min(Math.abs(score), 0.999)) - (side * starsWorth(rating)) / 2;
  return Math.max(0, Math.tanh(words));
}

/** Praise from four stars on, criticism up to three: other quotes need their context. */
function isInCharacter(sentiment: Sentiment, { rating }: Pick<Review, 'rating'>): boolean {
  const stars = starSentiment(rating);
  return sentiment === 'negative' ? stars !== 'positive' : stars === 'positive';
}

/** Tells whether a quote reads on its own and is what its review says as a whole. */
export function isPresentable(quote: Quotable): boolean {
  const reads = isShowable(quote) || (quote.opens && isOpening(quote));
  return reads && isInCharacter(quote.sentiment, quote.review);
}

/** Tells whether a piece without a full stop is short enough to be shown. */
function isOpening({ text, review }: Quotable): boolean {
  const language = languageOf(review);
  return fits(text, OPENING_MAX) && !shouts(text) && !refersBack(wordsOf(text, language), language);
}

function isShowable({ text, review }: Quotable): boolean {
  return fits(text, LENGTH.max) && readsAlone(text, languageOf(review));
}

/** Tells whether a piece is on one line and neither too short nor longer than `longest`. */
function fits(text: string, longest: number): boolean {
  return text.length >= LENGTH.min && text.length <= longest && !text.includes('\n');
}

const STARTS_ALONE = /^["“‘'(¡]?(?:[$£€]?\p{N}|\p{Lu})/u;
const ENDS_ALONE = /[.!](?:["”’')]*)[\s\p{Emoji_Presentation}\uFE0F]*$/u;
const MIN_WORDS = 5;

/** Tells whether a quote is clear without its context: a complete statement, not in capitals. */
export function readsAlone(text: string, language: Language): boolean {
  if (!STARTS_ALONE.test(text) || !ENDS_ALONE.test(text) || shouts(text)) return false;
  const words = wordsOf(text, language);
  const ends = [words.at(-1)!, words.slice(-2).join(' ')];
  return (
    words.length >= MIN_WORDS &&
    !refersBack(words, language) &&
    !ends.some((end) => language.quoteEnds.has(end)) &&
    !words.some((word) => language.wishes.has(word))
  );
}

/** Tells whether a quote begins with what refers to a sentence before it: `They’re`, `We also`. */
function refersBack([first = '', second]: readonly string[], { quoteStarts }: Language): boolean {
  const [word] = first.split("'");
  return quoteStarts.has(word!) || quoteStarts.has(`${first} ${second}`);
}
