import { z } from 'zod';
import { readReview } from '../../../src/dataset/document.ts';
import { labeledText } from '../../../src/schema/review-parts.ts';
import type { Review } from '../../../src/schema/review.ts';
import { QUERY_MAX_LENGTH } from '../../../src/schema/search.ts';
import { reviewAlone } from '../../../src/search/machine-readers.ts';
import { askedFilters } from '../../../src/search/asked-filters.ts';
import { bestSentence } from '../../../src/search/marks.ts';
import type { Pieces } from '../../../src/search/pieces.ts';
import type { ReadQuery } from '../../../src/search/read-query.ts';
import type { Concept } from '../../../src/search/word-forms.ts';
import type { Edition } from '../../edition/edition.ts';
import {
  ENTRY_KINDS,
  entriesOf,
  entryAt,
  entryUri,
  entryUrl,
  entryWithPage,
  type Entry,
} from '../entries.ts';
import { defineTool } from './tool.ts';
import { positionOf } from './reviews.ts';

// The two tools, and their shapes, that ChatGPT's connectors and deep research need of any server.

const MAX_RESULTS = 20;
const MAX_ENTRIES = 5;
/** Characters of a text in the title of a result. */
const BEGINNING = 80;
/** Labels that no reader takes for words of the customer. */
const PARTS = {
  praise: 'Asked for praise, the customer wrote',
  criticism: 'Asked for criticism, the customer wrote',
};

const NOT_SURE =
  'No review has the words that matter most in this question: say that the reviews do not tell.';
const text = z.string().min(1).max(QUERY_MAX_LENGTH);

export const search = defineTool({
  title: 'Search',
  description:
    'Use this for a question about {business} in plain words that fits no other tool: aspects, people, services, topics and FAQ entries it names, then reviews with ' +
    `most of its words, rare words first, with the sentence; at most ${MAX_RESULTS}. Results are ids for fetch. For filters and exact counts prefer ` +
    'search_reviews and count_reviews. not_sure: none has enough of it.',
  input: z.strictObject({
    query: text.describe('E.g. "Is parking easy?"'),
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        text: z.string().optional(),
      }),
    ),
    confidence: z.number(),
    understood: z.looseObject({}),
    filters: z.looseObject({}).optional(),
    not_sure: z.string().optional(),
  }),
  *answer({ query }, edition) {
    const index = edition.search;
    const { filters, rest } = askedFilters(query, index);
    const asked = { ...filters, query: rest || query, match: 'words' } as const;
    const reading = yield* index.words.read(asked);
    const entries = (yield* entriesNamed(reading, edition)).slice(0, MAX_ENTRIES);
    const limit = MAX_RESULTS - entries.length;
    const { positions, confidence, isSure } =
      rest === ''
        ? {
            ...(yield* index.searchInPieces({ ...filters, sort: 'telling', limit })),
            confidence: 1,
            isSure: true,
          }
        : yield* index.rankInPieces(asked, limit);
    yield;
    const results = [
      ...entries.map((entry) => ({
        id: entryUri(entry.kind, entry.id),
        title: entryTitle(entry),
        url: entryUrl(entry, edition),
      })),
      ...(isSure ? positions : []).map((position) => {
        const review = readReview(index.lines, position);
        const words = labeledText(review, PARTS) ?? '';
        const text = bestSentence(words, index.words.marksIn(words, reading));
        return { id: review.id, title: reviewTitle(review), url: review.url, text };
      }),
    ];
    return {
      results,
      confidence: Math.round(100 * confidence) / 100,
      understood: rest === '' ? { words: [] } : yield* index.words.explain(asked),
      ...(Object.keys(filters).length > 0 && { filters }),
      ...(!isSure && { not_sure: NOT_SURE }),
    };
  },
});

export const fetch = defineTool({
  title: 'Fetch',
  description:
    'Use this after search, for the text of a result by its id or url: a review with the reply of the business, or what insights count ' +
    'about an aspect, person, service, topic or question, as JSON. Also takes the id of a review. Cite it by its url.',
  input: z.strictObject({
    id: text.describe('Id from search.'),
  }),
  output: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
  answer({ id }, edition) {
    const isAddress = id.startsWith('http');
    const entry = isAddress ? entryWithPage(id, edition) : entryAt(id, edition.insights);
    if (entry) {
      const url = entryUrl(entry, edition);
      const text = JSON.stringify(entry.value);
      const metadata = { kind: entry.kind, reviews: String(entry.reviews) };
      const uri = entryUri(entry.kind, entry.id);
      return { id: uri, title: entryTitle(entry), text, url, metadata };
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

/**
 * Finds entries for a question: first questions of the FAQ that have its rarest known word and most of the
 * others, then entries named by two of its words in a row, then those named by the rarest known word, each
 * with most reviews first.
 */
function* entriesNamed(reading: ReadQuery, { insights, search }: Edition): Pieces<Entry[]> {
  const concepts = reading.all.flat().flatMap((sequence) => sequence.concepts);
  const having: number[] = [];
  for (const concept of concepts) having.push((yield* search.words.having(concept, {})).length);
  const words = concepts.map(({ written }) => reading.corrected[written] ?? written);
  const rarest = [...having.keys()]
    .sort((a, b) => having[a]! - having[b]!)
    .find((at) => having[at]! > 0 || urisNamed(words[at]!, search).length > 0);
  if (rarest === undefined) return [];
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  const all = ENTRY_KINDS.flatMap((kind) => entriesOf(kind, insights)).filter(
    ({ reviews }) => reviews > 0,
  );
  const named = [pairs, [words[rarest]!]].flatMap((phrases) => {
    const uris = new Set(phrases.flatMap((phrase) => urisNamed(phrase, search)));
    return all
      .filter(({ kind, id }) => uris.has(entryUri(kind, id)))
      .sort((a, b) => b.reviews - a.reviews);
  });
  const asked = all.filter(({ kind, label }) => {
    if (kind !== 'faq') return false;
    const has = (concept: Concept): boolean => search.words.hasConcept(label, concept);
    return has(concepts[rarest]!) && 2 * concepts.filter(has).length > concepts.length;
  });
  return [...new Set([...asked, ...named])];
}

function urisNamed(phrase: string, { names }: Edition['search']): string[] {
  return ENTRY_KINDS.flatMap((kind) => {
    if (kind === 'faq') return [];
    const index = names.kinds[kind];
    return index.meantBy(phrase).map((id) => entryUri(kind, id));
  });
}

function entryTitle({ label, reviews }: Entry): string {
  return `${label} (${reviews} reviews)`;
}

function reviewTitle(review: Review): string {
  const { author, date, rating, title } = review;
  const words = beginning(
    title ?? labeledText(review, { praise: 'liked', criticism: 'disliked' }) ?? '',
  );
  return `${rating} of 5 stars, ${beginning(author)}, ${date}${words && `: ${words}`}`;
}

function beginning(words: string): string {
  return words.length > BEGINNING ? `${[...words].slice(0, BEGINNING).join('')}…` : words;
}
