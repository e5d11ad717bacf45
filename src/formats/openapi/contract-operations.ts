import {
  ATOM_PATH,
  ATOM_TYPE,
  COUNT_PATH,
  INSIGHTS_PATH,
  JSON_FEED_PATH,
  PROVENANCE_PATH,
  REVIEWS_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../../paths.ts';
import { computed, file, FILE_HEADERS, INVALID, json, JSON_ERRORS } from './answers.ts';
import { DAY, publishedFiles } from './published-files.ts';
import type { Operation } from './operation.ts';

/** The documents, feeds and questions of the contract, section 4. */
export const CONTRACT_OPERATIONS: readonly Operation[] = [
  ...publishedFiles([
    {
      id: 'getReviews',
      path: REVIEWS_PATH,
      tag: 'Reviews',
      summary: 'All verified reviews',
      description:
        'Business, aggregate rating, coverage and every published review, newest first. One of the three topics of the hub.',
      answer: { ...json('ReviewsDataset', 'The dataset.'), headers: ['Link'] },
    },
    {
      id: 'getInsights',
      path: INSIGHTS_PATH,
      tag: 'Insights',
      summary: 'Insights from the reviews',
      description:
        'Aspects with their sentiment, technicians, services, areas and problems, topics, the trend by month, questions with evidence, an editorial summary. per_review lets you recount all of it.',
      answer: json('InsightsDataset', 'The dataset.'),
    },
    {
      id: 'getProvenance',
      path: PROVENANCE_PATH,
      tag: 'Reviews',
      summary: 'Where the reviews come from',
      description:
        'By platform, what verified means there, how many reviews it shows and how many are published; the exports they came from with their SHA-256, what was left out, what was changed, and who read the reviews.',
      answer: json('Provenance', 'The document.'),
    },
    {
      id: 'getJsonFeed',
      path: JSON_FEED_PATH,
      tag: 'Feeds',
      summary: 'The newest reviews as a JSON Feed',
      description:
        'JSON Feed 1.1 of the 50 newest reviews, served as application/json. next_url leads to the older ones. A topic.',
      answer: { ...json('JsonFeed', 'The feed.'), headers: ['Link'] },
    },
    {
      id: 'getAtomFeed',
      path: ATOM_PATH,
      tag: 'Feeds',
      summary: 'The newest reviews as an Atom feed',
      description:
        'Atom 1.0 (RFC 4287) of the same 50 reviews; prev-archive (RFC 5005) leads to the older ones. A topic. A browser that opens it gets the same bytes as application/xml.',
      answer: {
        description: 'The feed.',
        content: { [ATOM_TYPE]: null, 'application/xml': null },
        headers: ['Link'],
      },
    },
  ]),
  {
    id: 'searchReviews',
    method: 'get',
    path: SEARCH_PATH,
    tag: 'Search',
    summary: 'Search the reviews',
    description:
      'The reviews that match every filter, newest first. An empty parameter counts as absent, a repeated one is invalid, and unknown ones are ignored and listed in ignored_params. A name that nothing has matches nothing and is listed in unresolved. Follow next for more.',
    query: 'SearchFilters',
    headers: ['If-None-Match', 'If-Match'],
    answers: computed({ ...json('SearchResult', 'The reviews that match.'), headers: ['Link'] }),
  },
  {
    id: 'countReviews',
    method: 'get',
    path: COUNT_PATH,
    tag: 'Search',
    summary: 'Count the reviews',
    description:
      'Counts the reviews that match every filter, by one or two groupings: number, average stars, shares of positive, negative and answered reviews, and quotes with links. Exact, because every review is counted.',
    query: 'CountFilters',
    headers: ['If-None-Match', 'If-Match'],
    answers: computed(json('CountResult', 'The groups that have reviews.')),
  },
  {
    id: 'getReviewsSince',
    method: 'get',
    path: `${SINCE_PATH}/{date}`,
    tag: 'Reviews',
    summary: 'The reviews since a day',
    description:
      'Every review on or after a day, newest first. Its ETag changes only when this listing does, so polling is cheap.',
    pathParameters: { date: DAY },
    headers: FILE_HEADERS,
    answers: {
      ...file(json('SinceResult', 'The listing; empty after the newest review.'), JSON_ERRORS),
      400: INVALID,
    },
  },
];
