import { reviewPath } from '../paths.ts';
import type { Coverage } from '../schema/dataset.ts';
import type { PublishedRecord } from '../schema/journal.ts';
import type { ReviewMentions, Review, ReviewRecord } from '../schema/review.ts';
import { verificationLevelOf } from '../schema/platforms.ts';
import { business, type Business, type BusinessRecord } from '../schema/business.ts';
import { DATA_LICENSES, NO_LICENSE, type DataLicense } from '../schema/license.ts';

/** Orders reviews as every listing does: date descending, then id descending. */
export function newestFirst(
  a: Pick<Review, 'id' | 'date'>,
  b: Pick<Review, 'id' | 'date'>,
): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  if (a.id !== b.id) return a.id < b.id ? 1 : -1;
  return 0;
}

/**
 * Returns the records to publish, newest first, and accounts for the others.
 *
 * @param withdrawn number of reviews that are known but have no record any more
 */
export function selectPublished<
  T extends Pick<ReviewRecord, 'id' | 'date' | 'verified' | 'held_back'>,
>(records: readonly T[], withdrawn = 0): { published: T[]; coverage: Coverage } {
  const published = records.filter(({ verified }) => verified).sort(newestFirst);
  const excluded = new Map(withdrawn > 0 ? [['withdrawn', withdrawn]] : []);
  for (const record of records.filter(({ verified }) => !verified)) {
    const reason = record.held_back ? 'held-back' : 'unverified';
    excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
  }
  const coverage = {
    known: records.length + withdrawn,
    published: published.length,
    excluded: [...excluded].map(([reason, count]) => ({ reason, count })),
    earliest: published.at(-1)?.date ?? null,
    latest: published[0]?.date ?? null,
  };
  return { published, coverage };
}

/**
 * Returns the published fields that depend on the record alone, not on the site or its vocabulary.
 * Omitted fields get their value here: language `en`, `updated_at` midnight of the newest day in the
 * record, everything else null.
 */
export function publishedRecord(record: ReviewRecord): PublishedRecord {
  return {
    id: record.id,
    author: record.author,
    author_avatar_url: record.author_avatar_url ?? null,
    rating: record.rating,
    ...(record.score && { score: record.score }),
    date: record.date,
    title: record.title ?? null,
    text: record.text ?? null,
    ...(record.criticism_at !== undefined && { criticism_at: record.criticism_at }),
    language: record.language ?? 'en',
    source: record.source,
    source_url: record.source_url ?? null,
    owner_reply: record.owner_reply ?? null,
    verified: true,
    updated_at: record.updated_at ?? `${record.owner_reply?.date ?? record.date}T00:00:00Z`,
    ...(record.salt !== undefined && { salt: record.salt }),
  };
}

/** Returns the published form of a record. */
export function publishReview(
  record: ReviewRecord,
  mentions: ReviewMentions,
  baseUrl: string,
): Review {
  const url = `${baseUrl}${reviewPath(record.id)}`;
  const { origin, attributes, source, source_digest } = record;
  return {
    ...publishedRecord(record),
    ...(origin && { origin }),
    ...(attributes && { attributes }),
    verification: verificationLevelOf(source, source_digest !== undefined),
    url,
    mentions,
  };
}

/**
 * Returns the published part of a `business.json`.
 *
 * @param logo path of the logo on this site, which takes the place of one elsewhere
 */
export function publishBusiness(record: BusinessRecord, baseUrl: string, logo?: string): Business {
  const published = Object.entries(record).filter(([name]) => name in business.shape);
  return {
    ...(Object.fromEntries(published) as Omit<Business, 'reviews_url'>),
    logo_url: logo === undefined ? record.logo_url : baseUrl + logo,
    reviews_url: `${baseUrl}/`,
  };
}

export function licenseOf({
  data_license: name,
  data_attribution: attribution,
}: Pick<BusinessRecord, 'data_license' | 'data_attribution'>): DataLicense {
  if (name === null) return NO_LICENSE;
  const known = DATA_LICENSES[name];
  const credit = attribution === null ? '' : `; credit: ${attribution}`;
  return {
    id: known === undefined ? null : name,
    url: known ?? name,
    attribution,
    terms: `Licensed under ${name} as far as the rights are the publisher's${credit}.`,
  };
}
