import { digestInsights } from '../insights/digest.ts';
import { countAnswer, searchAnswer } from '../search/result.ts';
import { parseCountParameters, parseSearchParameters } from '../search/parameters.ts';
import { SearchIndex } from '../search/search-index.ts';
import { mcpIdentity } from '../dataset/mcp-identity.ts';
import { reviewLines } from '../dataset/document.ts';
import { LabelLines } from '../dataset/labels.ts';
import { buildEmbed } from '../dataset/review-document.ts';
import { buildHistory, buildSummary } from '../dataset/summary.ts';
import { countSince, dayNumber, sinceBody } from '../dataset/since.ts';
import {
  ATOM_PATH,
  CHANGES_PATH,
  COUNT_PATH,
  HISTORY_PATH,
  INSIGHTS_DIGEST_PATH,
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  JOURNAL_PATH,
  JSON_FEED_PATH,
  PROVENANCE_PATH,
  REVIEW_LABELS_PATH,
  reviewDocumentPath,
  reviewEmbedPath,
  REVIEWS_PATH,
  SEARCH_PATH,
  SERVER_PATH,
  SINCE_PATH,
  SUMMARY_PATH,
} from '../paths.ts';
import { atomFeed } from '../formats/atom.ts';
import type { BodyExample } from '../formats/openapi/path-item.ts';
import { buildChanges, buildJournal, monthDocuments } from '../journal/documents.ts';
import { feedSource } from '../formats/feed.ts';
import { mcpServer } from '../formats/mcp-server.ts';
import { jsonFeed } from '../formats/json-feed.ts';
import { invalidParameters } from '../schema/error.ts';
import type { Publication } from '../build/publication.ts';
import { ReviewSource } from '../build/review-pages.ts';
import { abridge, excerpt, layOut, shorten } from './json-text.ts';
import { hubExamples, mcpExamples, type Example } from './protocol-examples.ts';

const FEED_LINES = 26;

const made = new WeakMap<Publication, Record<string, Example[]>>();

/** Returns examples by operation. The responses come from the same code as real ones. */
export function examples(publication: Publication): Record<string, Example[]> {
  const known = made.get(publication) ?? makeExamples(publication);
  made.set(publication, known);
  return known;
}

function makeExamples(publication: Publication): Record<string, Example[]> {
  const { baseUrl, dataset, insights, journal, lines, labels, names, days, provenance } =
    publication;
  const search = new SearchIndex(lines, names, new LabelLines(reviewLines(labels)));
  const get = (path: string, body: unknown, says: string, status = 200): Example => ({
    says,
    command: `curl -s '${baseUrl}${path}'`,
    answer: layOut(abridge(body)),
    response: { status, body },
  });
  const found = (query: string, says: string): Example => {
    const parsed = parseSearchParameters(new URLSearchParams(query));
    const path = `${SEARCH_PATH}?${query}`;
    if ('issues' in parsed) return get(path, invalidParameters(parsed.issues), says, 400);
    const { filters, ignored } = parsed;
    return get(path, parse(searchAnswer(lines, filters, search.search(filters), ignored)), says);
  };
  const counted = (query: string, says: string): Example => {
    const parsed = parseCountParameters(new URLSearchParams(query));
    const path = `${COUNT_PATH}?${query}`;
    if ('issues' in parsed) return get(path, invalidParameters(parsed.issues), says, 400);
    return get(path, countAnswer(search, parsed.filters, parsed.ignored), says);
  };
  const words = insights.aspects.flatMap(({ top_phrases: phrases }) => phrases)[0] ?? 'the';
  const technician = insights.entities.technicians.find(
    ({ mention_count: count }) => count > 0,
  )?.id;
  const day = dataset.reviews[2]?.date ?? dataset.coverage.latest ?? '2026-01-01';
  const source = feedSource(dataset, baseUrl);
  const newest = dataset.reviews.slice(0, 1);

  return {
    getReviews: [
      get(REVIEWS_PATH, dataset, 'Everything in one document, abridged here'),
      unchanged(baseUrl),
    ],
    getInsights: [get(INSIGHTS_PATH, insights, 'Abridged')],
    getProvenance: [get(PROVENANCE_PATH, provenance, 'Abridged')],
    getInsightsDigest: [
      get(INSIGHTS_DIGEST_PATH, digestInsights(insights, dataset.reviews), 'Abridged'),
    ],
    getInsightsInputs: [get(INSIGHTS_INPUTS_PATH, publication.insightsInputs, 'Abridged')],
    getReviewLabels: [get(REVIEW_LABELS_PATH, parse(labels), 'Abridged')],
    getJsonFeed: [get(JSON_FEED_PATH, jsonFeed(source), 'Abridged')],
    getAtomFeed: [
      {
        says: 'The first entry',
        command: `curl -s '${baseUrl}${ATOM_PATH}'`,
        answer: excerpt(atomFeed(source), FEED_LINES),
      },
    ],
    getMcpServer: [
      get(SERVER_PATH, mcpServer(mcpIdentity(dataset.business, baseUrl), baseUrl), 'In full'),
    ],
    getChanges: [get(CHANGES_PATH, buildChanges(journal), 'Abridged')],
    getMonthChanges: [...monthDocuments(journal)]
      .slice(0, 1)
      .map(([path, document]) => get(path, document, 'The newest month')),
    getJournal: [get(JOURNAL_PATH, buildJournal(journal), 'Abridged')],
    searchReviews: [
      found(
        new URLSearchParams({ query: words, min_rating: '4', limit: '1' }).toString(),
        'Words in the text, four stars or more, the newest one',
      ),
      ...(technician
        ? [found(`mentions_technician=${technician}&limit=2`, 'Reviews that mention a technician')]
        : []),
      found(
        'sort=lowest&has_reply=false&detail=brief&limit=1',
        'The worst without a reply, in brief',
      ),
      found('mentions_service=zzz', 'A name that nothing has'),
      found('rating=9&since=2026-02-30', 'Two parameters that are invalid'),
    ],
    countReviews: [
      counted('group_by=aspect&max_rating=2&examples=1', 'Complaints by aspect, with a quote each'),
      counted('group_by=year,sentiment', 'Two groupings'),
    ],
    getReviewsSince: [
      get(
        `${SINCE_PATH}/${day}`,
        parse(Buffer.concat(sinceBody(lines, countSince(days, dayNumber(day)), day))),
        'From a day on',
      ),
    ],
    getSummary: [get(SUMMARY_PATH, buildSummary(dataset), 'Abridged')],
    getHistory: [get(HISTORY_PATH, buildHistory(dataset), 'Abridged')],
    getReview: newest.map(({ id }) => {
      const document = new ReviewSource(publication).document(0);
      return get(reviewDocumentPath(id), JSON.parse(document), 'The newest, abridged');
    }),
    getReviewEmbed: newest.map((review) => {
      const embed = buildEmbed(review, dataset.business.name, baseUrl);
      return get(reviewEmbedPath(review.id), embed, 'The newest');
    }),
    callMcp: mcpExamples(publication),
    requestSubscription: hubExamples(baseUrl),
  };
}

/** Returns the bodies of the examples, shortened, for the OpenAPI document. */
export function bodyExamples(publication: Publication): Record<string, BodyExample[]> {
  const byOperation = Object.entries(examples(publication));
  return Object.fromEntries(
    byOperation.map(([id, ofOperation]) => [
      id,
      ofOperation.flatMap(({ says: summary, request, response }) => [
        ...(request === undefined ? [] : [{ summary, value: request }]),
        ...(response ? [{ summary, status: response.status, value: shorten(response.body) }] : []),
      ]),
    ]),
  );
}

function unchanged(baseUrl: string): Example {
  const url = `'${baseUrl}${REVIEWS_PATH}'`;
  return {
    says: 'With its ETag, an unchanged response is an empty 304',
    command: [
      `curl -s -o reviews.json --etag-save etag.txt ${url}`,
      `curl -s -o reviews.json --etag-compare etag.txt -w '%{http_code}\\n' ${url}`,
    ].join('\n'),
    answer: '304',
  };
}

function parse(body: Buffer | string): unknown {
  return JSON.parse(body.toString());
}
