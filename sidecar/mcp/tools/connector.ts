import { z } from 'zod';
import { readReview } from '../../../src/dataset/document.ts';
import { labeledText } from '../../../src/schema/review-parts.ts';
import type { Review } from '../../../src/schema/review.ts';
import { QUERY_MAX_LENGTH } from '../../../src/schema/search.ts';
import { reviewAlone } from '../../../src/search/result.ts';
import { fold } from '../../../src/search/fold.ts';
import { rank } from '../../../src/search/rank.ts';
import type { Edition } from '../../edition/edition.ts';
import { ENTRY_KINDS, entriesOf, entryAt, entryUri, entryUrl, type Entry } from '../entries.ts';
import { defineTool } from './tool.ts';
import { positionOf } from './reviews.ts';

// The two tools, and their shapes, that ChatGPT's connectors and deep research need of any server.

const MOST_RESULTS = 20;
const MOST_ENTRIES = 5;
/** Words of a question that are looked up. */
const MOST_WORDS = 12;
const EXCERPT = 80;
/** Labels that no reader takes for words of the customer. */
const PARTS = {
  praise: 'Asked for praise, the customer wrote',
  criticism: 'Asked for criticism, the customer wrote',
};

const NOT_SURE =
  'No review has the words that matter most in this question: say that the reviews do not tell.';
const QUERY = `must be text of 1 to ${QUERY_MAX_LENGTH} characters`;

export const search = defineTool({
  title: 'Search',
  description:
    'Finds what fits a question about {business} best: aspects, people, services, topics and FAQ entries it names, then reviews with ' +
    `most of its words, rare words first; at most ${MOST_RESULTS}. Results are ids for fetch. For filters and exact counts prefer ` +
    'search_reviews and count_reviews. not_sure: no review has the rarest words.',
  input: z.strictObject({
    query: z.string(QUERY).min(1, QUERY).max(QUERY_MAX_LENGTH, QUERY).describe('A question.'),
  }),
  output: z.strictObject({
    results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })),
    not_sure: z.string().optional(),
  }),
  answer({ query }, edition) {
    const index = edition.search;
    const words = index.words.parse(query).filter(({ isExcluded }) => !isExcluded);
    const wanted = words.slice(0, MOST_WORDS);
    const entries = entriesNamed(
      wanted.map(({ forms }) => forms[0]!),
      edition,
    ).slice(0, MOST_ENTRIES);
    const most = MOST_RESULTS - entries.length;
    const { positions: fitting, isSure } = rank(index.columns, wanted, most);
    const positions = isSure ? fitting : [];
    const results = [
      ...entries.map((entry) => ({
        id: entryUri(entry.kind, entry.id),
        title: entryTitle(entry),
        url: entryUrl(entry, edition),
      })),
      ...positions.map((position) => {
        const review = readReview(index.lines, position);
        return { id: review.id, title: reviewTitle(review), url: review.url };
      }),
    ];
    return {
      results,
      ...(!isSure && entries.length === 0 && { not_sure: NOT_SURE }),
    };
  },
});

export const fetch = defineTool({
  title: 'Fetch',
  description:
    'The text of one result of search, by its id: a review with the reply of the business, or what insights count ' +
    'about an aspect, person, service, topic or question, as JSON. Also takes the id of a review. Cite it by its url.',
  input: z.strictObject({
    id: z.string(QUERY).min(1, QUERY).max(QUERY_MAX_LENGTH, QUERY).describe('Id from search.'),
  }),
  output: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
  answer({ id }, edition) {
    const entry = entryAt(id, edition.insights);
    if (entry) {
      const url = entryUrl(entry, edition);
      const text = JSON.stringify(entry.value);
      const metadata = { kind: entry.kind, reviews: String(entry.reviews) };
      return { id, title: entryTitle(entry), text, url, metadata };
    }
    const review = reviewAlone(edition.search.lines, positionOf(id, edition.ids));
    const { author, rating, date, language, source, url, owner_reply: reply } = review;
    return {
      id: review.id,
      title: reviewTitle(review),
      text: [
        review.title,
        labeledText(review, PARTS),
        reply && `Reply of the business: ${reply.text}`,
      ]
        .filter((part) => part !== null)
        .join('\n\n'),
      url,
      metadata: {
        kind: 'review',
        author,
        rating: String(rating),
        date,
        language,
        source,
      },
    };
  },
});

/** Finds the entries that two words in a row, or one, are a name of; most reviews first. */
function entriesNamed(words: readonly string[], { insights, search }: Edition): Entry[] {
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  const all = ENTRY_KINDS.flatMap((kind) => entriesOf(kind, insights));
  const named = [pairs, words].flatMap((phrases) => {
    const uris = new Set(phrases.flatMap((phrase) => urisNamed(phrase, search)));
    return all
      .filter(({ kind, id }) => uris.has(entryUri(kind, id)))
      .sort((a, b) => b.reviews - a.reviews);
  });
  const long = words.filter((word) => word.length > 3);
  const asked = all.filter(({ kind, label }) => {
    const question = fold(label);
    return kind === 'faq' && long.length > 0 && long.every((word) => question.includes(word));
  });
  return [...new Set([...asked, ...named])];
}

function urisNamed(phrase: string, { names }: Edition['search']): string[] {
  return ENTRY_KINDS.flatMap((kind) =>
    kind === 'faq' ? [] : names.kinds[kind].resolve(phrase).map((id) => entryUri(kind, id)),
  );
}

function entryTitle({ label, reviews }: Entry): string {
  return `${label} (${reviews} reviews)`;
}

function reviewTitle(review: Review): string {
  const { author, date, rating, title } = review;
  const words = excerpt(
    title ?? labeledText(review, { praise: 'liked', criticism: 'disliked' }) ?? '',
  );
  return `${rating} of 5 stars, ${excerpt(author)}, ${date}${words && `: ${words}`}`;
}

function excerpt(words: string): string {
  return words.length > EXCERPT ? `${[...words].slice(0, EXCERPT).join('')}…` : words;
}
