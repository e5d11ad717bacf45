import { COUNT_PATH, SEARCH_PATH } from '../paths.ts';
import { countFilters, countResult, reviewGroup } from '../schema/count.ts';
import { invalidParameters } from '../schema/error.ts';
import { briefReview, searchFilters, searchResult } from '../schema/search.ts';
import { atOnce } from '../search/pieces.ts';
import { readArguments } from '../search/arguments.ts';
import { countBody, searchAnswer } from '../search/result.ts';
import { searchIndexOf } from '../search/search-index.ts';
import { jsonExample } from './examples.ts';
import { computed, jsonBody } from './openapi/answers.ts';
import type { Example, Operation } from './operation.ts';
import type { Source } from './source.ts';

export const SEARCH: Operation = {
  id: 'searchReviews',
  method: 'get',
  path: SEARCH_PATH,
  tag: 'Search',
  title: 'Search the reviews',
  description:
    'The reviews that match every filter, newest first. An empty parameter counts as absent. A list may be repeated, bracketed (`facets[]=…`) or separated by commas; any other parameter may be given once. A time stands for its day, a year for its days. An unknown parameter is ignored and listed in ignored_params, unless it resembles a known one: then it is an issue. A filter by name takes several with commas, of which a review has any (`source=google,yelp`), and a `-` before those that it must not have (`source=-yelp`). A name that nothing has matches nothing and is listed in unresolved. Follow next for more. A slash at the end of the path makes no difference.',
  query: 'SearchFilters',
  headers: ['If-None-Match', 'If-Match'],
  schemas: { 'search-result': searchResult, 'search-filters': searchFilters },
  parts: { BriefReview: briefReview },
  answers: computed({
    ...jsonBody('SearchResult', 'The reviews that match.'),
    headers: ['Link'],
  }),
  examples: searchExamples,
};

export const COUNT: Operation = {
  id: 'countReviews',
  method: 'get',
  path: COUNT_PATH,
  tag: 'Search',
  title: 'Count the reviews',
  description:
    'Counts the reviews that match every filter, by one or two groupings: number, average stars, shares of positive, negative and answered reviews, median days until a reply, and quotes with links. Exact, because every review is counted.',
  query: 'CountFilters',
  headers: ['If-None-Match', 'If-Match'],
  schemas: { 'count-result': countResult, 'count-filters': countFilters },
  parts: { ReviewGroup: reviewGroup },
  answers: computed(jsonBody('CountResult', 'The groups that have reviews.')),
  examples: countExamples,
};

function searchExamples(source: Source): Example[] {
  const { insights, lines } = source;
  const index = searchIndexOf(source);
  const found = (query: string, says: string): Example => {
    const parsed = readArguments(searchFilters, new URLSearchParams(query));
    const path = `${SEARCH_PATH}?${query}`;
    if ('issues' in parsed) {
      return jsonExample(source, path, invalidParameters(parsed.issues), says, 400);
    }
    const { args: filters, ignored } = parsed;
    const body = searchAnswer(lines, filters, index.search(filters), ignored);
    return jsonExample(source, path, JSON.parse(Buffer.from(body).toString()), says);
  };
  const words = insights.aspects.flatMap(({ top_phrases: phrases }) => phrases)[0] ?? 'the';
  const query = new URLSearchParams({ query: words, min_rating: '4', limit: '1' }).toString();
  const technician = insights.entities.technicians.find(({ mention_count: count }) => count > 0);
  return [
    found(query, 'Words in the text, four stars or more, the newest one'),
    ...(technician
      ? [found(`mentions_technician=${technician.id}&limit=2`, 'Reviews that mention a technician')]
      : []),
    found(
      'sort=lowest&has_reply=false&detail=brief&limit=1',
      'The worst without a reply, in brief',
    ),
    found('mentions_service=zzz', 'A name that nothing has'),
    found('rating=9&since=2026-02-30', 'Two parameters that are invalid'),
  ];
}

function countExamples(source: Source): Example[] {
  const index = searchIndexOf(source);
  const counted = (query: string, says: string): Example => {
    const parsed = readArguments(countFilters, new URLSearchParams(query));
    if ('issues' in parsed) throw new Error(`${query}: ${JSON.stringify(parsed.issues)}`);
    const body: unknown = JSON.parse(atOnce(countBody(index, parsed.args, parsed.ignored)));
    return jsonExample(source, `${COUNT_PATH}?${query}`, body, says);
  };
  return [
    counted('group_by=aspect&max_rating=2&examples=1', 'Complaints by aspect, with a quote each'),
    counted('group_by=year,sentiment', 'Two groupings'),
  ];
}
