import { createHash } from 'node:crypto';
import type { Content } from '../content/read-content.ts';
import { ContentError } from '../content/issue.ts';
import type { PlacedAnnotation } from '../content/read-annotations.ts';
import { computeRating, verificationRules } from '../dataset/aggregate.ts';
import { licenseOf, publishBusiness, publishReview, selectPublished } from '../dataset/publish.ts';
import { reviewLines, serializeByLine, type DatasetMetadata } from '../dataset/document.ts';
import { serializeLabels } from '../dataset/labels.ts';
import { withheldFew } from '../insights/aggregate/coverage.ts';
import { countInsights, ENGINE_VERSION } from '../insights/aggregate/insights.ts';
import { UnknownPlaceholderError } from '../insights/aggregate/summary.ts';
import { readReviews } from '../insights/analyze/review-reader.ts';
import { annotateReadings } from '../insights/annotations.ts';
import { changedInputs } from '../insights/release.ts';
import { describeChanges, missingChanges } from '../journal/comparison.ts';
import { HUB_PATH, logoPath } from '../paths.ts';
import { SCHEMA_VERSION, type Coverage, type Verification } from '../schema/dataset.ts';
import { insightsInputs, type InsightsInputs } from '../schema/insights-inputs.ts';
import type { InsightsDataset } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { describeProvenance } from '../resources/provenance.ts';
import type { PublishedJournal, Source } from '../resources/source.ts';
import type { Theme } from '../schema/theme.ts';
import type { DrawnCover } from './draw-cover.ts';
import { brandOf, describeSite, editionNames, type SiteData } from './site-data.ts';
import type { Brand } from '../view/share-image.ts';

/** Everything that pages and endpoints of one edition show; nothing else reads content/. */
export interface Publication extends Source {
  /** The one time of the edition, in seconds since 1970. */
  lastModified: number;
  /** Inputs of the insights that differ from the program's own, in words. */
  changedInputs: readonly string[];
  /** Reviews by month (`YYYY-MM`), newest month first. */
  months: ReadonlyMap<string, Review[]>;
  byId: ReadonlyMap<string, Review>;
  site: SiteData;
  theme: Theme;
  cover: DrawnCover | null;
  /** The pictures of the owner, by their path. */
  pictures: ReadonlyMap<string, Uint8Array>;
  brand: Brand;
  /** Sentences about what misleads readers. */
  warnings: string[];
}

/**
 * Turns checked content into what is published. Pure: the same content gives the same bytes.
 *
 * @throws {ContentError} if an annotation quotes text that must not be published, or a placeholder
 * of the summary has no value
 */
export function buildPublication(
  content: Content,
  baseUrl: string,
  { lastModified = 0, hubUrl = '', cover = null as DrawnCover | null } = {},
): Publication {
  const { logo, vocabulary, summary } = content;
  const { sidecar } = content.business;
  const hub = sidecar ? baseUrl + HUB_PATH : hubUrl || null;
  const { published, coverage } = selectPublished(content.reviews, content.withdrawn.length);
  const { used, stale, refused, ...annotated } = annotateReadings(
    readReviews(published, content),
    published,
    content.annotations,
    vocabulary,
  );
  const readings = withheldFew(annotated.readings, published);
  const issues = refused.map(({ annotation: { file, line }, field, reason, quote: value }) => {
    return { file, line, field, reason, value };
  });
  if (issues.length > 0) throw new ContentError(issues);
  const reviews = published.map((record) => {
    const { technicians, services } = readings.get(record.id)!;
    return publishReview(record, { technicians, services }, baseUrl);
  });
  const reviewsJson = reviews.map((review) => JSON.stringify(review));
  const unrecorded = describeChanges(
    missingChanges(content.journal.chain, content.reviews, content.withdrawn),
  );
  const journal: PublishedJournal = {
    changes: content.journal.entries.toReversed(),
    head: content.journal.chain.head,
    complete: unrecorded === '',
  };
  const metadata = describeDataset(content, baseUrl, reviews, reviewsJson, { coverage, journal });
  const dataset = { ...metadata, reviews };
  const inputs = inputsOf(content, used);
  const insights = withPlace(summary, () => countInsights(dataset, readings, inputs));
  return {
    baseUrl,
    sidecar,
    language: content.business.language,
    hub,
    lastModified,
    dataset,
    insights,
    insightsInputs: inputs,
    changedInputs: changedInputs(inputs, content),
    provenance: describeProvenance(content, dataset, insights),
    lines: reviewLines(Buffer.from(serializeByLine(metadata, reviewsJson))),
    labels: Buffer.from(serializeLabels(insights, reviews)),
    journal,
    warnings: warningsOf(insights, stale, unrecorded),
    months: Map.groupBy(reviews, ({ date }) => date.slice(0, 7)),
    byId: new Map(reviews.map((review) => [review.id, review])),
    site: describeSite(content, insights),
    theme: content.business.theme,
    cover,
    pictures: new Map([
      ...(logo ? [[logoPath(logo.type), logo.bytes] as const] : []),
      ...(cover?.sizes ?? []).map(({ path, bytes }) => [path, bytes] as const),
    ]),
    brand: brandOf(content),
    names: editionNames(vocabulary),
  };
}

/** Names annotations of other words, which were passed over, missing changes and false claims. */
function warningsOf(
  { faq }: InsightsDataset,
  stale: readonly PlacedAnnotation[],
  unrecorded: string,
): string[] {
  const places = stale.map(({ file, line }) => `${file}:${line}`).join(', ');
  const claims = faq.flatMap(({ id, claims }) => claims.map((claim) => ({ id, ...claim })));
  return [
    stale.length > 0 && `${stale.length} stale annotations, made for other words: ${places}`,
    unrecorded !== '' &&
      `the journal is missing changes of the reviews (${unrecorded}): run npm run reviews -- record`,
    ...claims.map(
      ({ id, aspect, side, min_share, share, holds }) =>
        !holds &&
        `faq/${id}.md: claims ${min_share}% ${side} for ${aspect}, counted ${share ?? 0}%`,
    ),
  ].filter((warning) => warning !== false);
}

function describeDataset(
  content: Content,
  baseUrl: string,
  reviews: readonly Review[],
  reviewsJson: readonly string[],
  { coverage, journal }: { coverage: Coverage; journal: PublishedJournal },
): DatasetMetadata {
  const { business, imports, logo } = content;
  const rating = computeRating(reviews);
  const verification = verificationRules(imports, rating);
  const times = reviews.map(({ updated_at }) => updated_at);
  return {
    schema_version: SCHEMA_VERSION,
    edition: datasetId(content, verification, reviewsJson, baseUrl),
    updated_at: times.reduce((a, b) => (a > b ? a : b), '1970-01-01T00:00:00Z'),
    license: licenseOf(business),
    business: publishBusiness(business, baseUrl, logo ? logoPath(logo.type) : undefined),
    aggregate_rating: rating,
    coverage,
    verification,
    journal: journal.complete && journal.head.seq > 0 ? journal.head : null,
  };
}

function inputsOf(content: Content, used: readonly PlacedAnnotation[]): InsightsInputs {
  const { faq, summary, vocabulary, weights } = content;
  const annotations = used.map((annotation) => {
    const { file: _, line: __, ...rest } = annotation;
    return rest;
  });
  return insightsInputs.parse({
    vocabulary,
    weights,
    annotations,
    faq,
    summary: summary?.text ?? null,
  });
}

/** Adds the place to the error of a placeholder of the summary that has no value. */
function withPlace<T>(summary: Content['summary'], build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof UnknownPlaceholderError) || summary === null) throw error;
    const linesBefore = summary.text.slice(0, error.offset).split('\n').length - 1;
    const line = summary.line + linesBefore;
    throw new ContentError([{ file: summary.file, line, field: '', reason: error.message }]);
  }
}

function datasetId(
  content: Content,
  verification: readonly Verification[],
  reviewsJson: readonly string[],
  baseUrl: string,
): string {
  const { business, vocabulary, weights, annotations, faq, summary, logo, cover } = content;
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify([
      SCHEMA_VERSION,
      ENGINE_VERSION,
      baseUrl,
      business,
      vocabulary,
      weights,
      annotations,
      faq,
      summary?.text,
      verification,
    ]),
  );
  hash.update(String(content.reviews.length + content.withdrawn.length));
  hash.update(String(content.journal.chain.head.hash));
  for (const picture of [logo, cover]) if (picture) hash.update(picture.bytes);
  for (const json of reviewsJson) hash.update(json);
  return hash.digest('hex').slice(0, 16);
}
