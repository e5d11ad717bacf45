import {
  ATOM_PATH,
  ATOM_TYPE,
  CSV_PATH,
  INSIGHTS_PATH,
  JSON_FEED_PATH,
  JSON_TYPE,
  NDJSON_PATH,
  NDJSON_TYPE,
  REVIEWS_PATH,
  SQLITE_PATH,
  SQLITE_TYPE,
} from '../paths.ts';
import type { Business } from '../schema/business.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import { partsOf } from '../schema/review-parts.ts';
import type { Review } from '../schema/review.ts';

/** A schema.org node in JSON-LD 1.1; undefined fields are omitted. */
type JsonLd = Record<string, unknown>;

const CONTEXT = 'https://schema.org';

/**
 * Returns the business.
 *
 * @param areas names of its service areas
 */
export function localBusiness(
  business: Business,
  baseUrl: string,
  areas: readonly string[],
): JsonLd {
  const { address, geo } = business;
  return {
    '@context': CONTEXT,
    '@type': 'LocalBusiness',
    '@id': businessId(baseUrl),
    name: business.name,
    legalName: business.legal_name ?? undefined,
    description: business.description ?? undefined,
    url: business.url ?? business.reviews_url,
    telephone: business.phone ?? undefined,
    email: business.email ?? undefined,
    logo: business.logo_url ?? undefined,
    address: address
      ? {
          '@type': 'PostalAddress',
          streetAddress: address.street ?? undefined,
          addressLocality: address.city,
          addressRegion: address.region ?? undefined,
          postalCode: address.postal_code ?? undefined,
          addressCountry: address.country,
        }
      : undefined,
    geo: geo ? { '@type': 'GeoCoordinates', ...geo } : undefined,
    openingHoursSpecification: nonEmpty(
      business.hours.map(({ day, opens, closes }) => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: `${CONTEXT}/${day.charAt(0).toUpperCase()}${day.slice(1)}`,
        opens,
        closes,
      })),
    ),
    areaServed: nonEmpty(areas),
    sameAs: nonEmpty(business.same_as),
  };
}

/**
 * Returns a review on a page of its own, found by its author, day and words. It states no stars, because
 * search engines reject ratings that a business publishes about itself
 * (https://developers.google.com/search/docs/appearance/structured-data/review-snippet).
 */
export function reviewOfBusiness(review: Review, business: Business, baseUrl: string): JsonLd {
  const { author, date, language, text, title, updated_at, url } = review;
  const parts = partsOf(review);
  return {
    '@context': CONTEXT,
    '@id': url,
    '@type': 'Review',
    url,
    name: title ?? undefined,
    datePublished: date,
    dateModified: updated_at,
    inLanguage: language,
    author: { '@type': 'Person', name: author },
    reviewBody: text ?? undefined,
    positiveNotes: parts?.praise || undefined,
    negativeNotes: parts?.criticism || undefined,
    itemReviewed: { '@type': 'LocalBusiness', '@id': businessId(baseUrl), name: business.name },
  };
}

/** Returns the dataset, with every file it is available as. */
export function dataset(published: ReviewsDataset, baseUrl: string): JsonLd {
  const { business, coverage, license } = published;
  const download = (name: string, path: string, encodingFormat: string) => ({
    '@type': 'DataDownload',
    name,
    contentUrl: baseUrl + path,
    encodingFormat,
  });
  return {
    '@context': CONTEXT,
    '@type': 'Dataset',
    '@id': `${baseUrl}/#dataset`,
    name: `Customer reviews of ${business.name}`,
    description: `${coverage.published} customer reviews of ${business.name}, with what they say of each aspect, as JSON, CSV, SQLite and feeds.`,
    url: `${baseUrl}/`,
    about: { '@id': businessId(baseUrl) },
    creator: { '@type': 'Organization', name: business.name },
    isAccessibleForFree: true,
    license: license.url ?? undefined,
    copyrightNotice: license.url === null ? license.terms : undefined,
    creditText: license.attribution ?? undefined,
    dateModified: published.updated_at,
    temporalCoverage:
      coverage.earliest === null ? undefined : `${coverage.earliest}/${coverage.latest}`,
    distribution: [
      download('Reviews', REVIEWS_PATH, JSON_TYPE),
      download('Reviews, one a line', NDJSON_PATH, NDJSON_TYPE),
      download('Reviews, for spreadsheets', CSV_PATH, 'text/csv'),
      download('Reviews, SQLite', SQLITE_PATH, SQLITE_TYPE),
      download('Insights', INSIGHTS_PATH, JSON_TYPE),
      download('Newest reviews, JSON Feed', JSON_FEED_PATH, JSON_TYPE),
      download('Newest reviews, Atom', ATOM_PATH, ATOM_TYPE),
    ],
  };
}

/** Serializes a node for a script element: no `<` in it can end the element (HTML, section 4.12.1.3). */
export function jsonLd(node: JsonLd): string {
  return JSON.stringify(node).replaceAll('<', String.raw`\u003c`);
}

function businessId(baseUrl: string): string {
  return `${baseUrl}/#business`;
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
