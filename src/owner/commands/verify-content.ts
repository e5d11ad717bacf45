import { editionNames } from '../../build/site-data.ts';
import { reviewLines } from '../../dataset/document.ts';
import { strongETag } from '../../edition/etag.ts';
import { verifyDeep } from '../../insights/check-published.ts';
import { changedInputs } from '../../insights/release.ts';
import { verifyJournal } from '../../journal/verify.ts';
import { ATOM_PATH, INSIGHTS_PATH, SEARCH_WORKER_PATH } from '../../paths.ts';
import { instances } from '../../resources/catalogue.ts';
import type { Source } from '../../resources/source.ts';
import type { ReviewsDataset } from '../../schema/dataset.ts';
import type { JournalHead } from '../../schema/journal.ts';
import type { PublishedSite } from './published-site.ts';
import type { SiteCheck } from './site-check.ts';

/** Checks all that can be derived from the reviews of a site, and the journal that leads to them. */
export function contentChecks(
  published: PublishedSite,
  release: Parameters<typeof changedInputs>[1],
  saved: readonly JournalHead[],
): SiteCheck[] {
  const { changes, dataset, inputs, journal } = published;
  const changed = changedInputs(inputs, release);
  const read = 'every review was read again: the insights are the same';
  return [
    { of: 'reviews', issues: [], verified: completeness(published) },
    {
      of: 'insights',
      issues: verifyDeep(published),
      verified:
        changed.length === 0 ? read : `${read}, with words of its own: ${changed.join('; ')}`,
    },
    checkDocuments(published),
    {
      of: 'journal',
      issues: verifyJournal(journal, changes.toReversed(), dataset, saved),
      verified: extent(published),
    },
  ];
}

/** Says how many of the known reviews are published, and why others are not. */
function completeness({ dataset, manifest }: PublishedSite): string {
  const { excluded, known, latest, published } = dataset.coverage;
  const reasons = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  const newest = latest === null ? '' : `, the newest of ${latest}`;
  return (
    `${published} of ${known} known reviews are published${newest}, in an edition of ` +
    `${manifest.last_modified.slice(0, 10)}${reasons && `; left out: ${reasons}`}`
  );
}

function extent({ dataset, journal: { seq, hash, complete } }: PublishedSite): string {
  if (seq === 0) return 'there is no journal';
  const count = dataset.reviews.length;
  const end = complete ? `lead to the ${count} reviews` : 'do not lead to all reviews';
  return `${seq} changes ${end}; the head of the journal is ${seq}:${hash}`;
}

/**
 * Tags of documents that are derived again. Others may come from another version of the program, and
 * insights.json is compared by its values.
 */
const DERIVED = new Set(['Reviews', 'Embed', 'Feeds', 'Changes', 'Insights']);

/** Derives feeds, embeds, listings and documents again, and compares them with edition.json. */
function checkDocuments(published: PublishedSite): SiteCheck {
  const { inputs, manifest } = published;
  const etags = new Map(manifest.resources.map(({ path, etag }) => [path, etag]));
  const source = sourceOf(published);
  const derived = instances(source).filter(
    ({ instance: { path }, resource }) => DERIVED.has(resource.tag) && path !== INSIGHTS_PATH,
  );
  const issues = derived.flatMap(({ instance: { build, path } }) => {
    const etag = etags.get(path);
    if (etag === undefined) return [`${path}: is missing`];
    const body = Buffer.from(build(source));
    return etag === strongETag(body) ? [] : [`${path}: is not what the reviews say`];
  });
  for (const [path, html] of published.frames) {
    if (!showsRating(html, published.dataset)) issues.push(`${path}: shows another rating`);
  }
  const isNamed =
    JSON.stringify(manifest.names) === JSON.stringify(editionNames(inputs.vocabulary));
  return {
    of: 'documents',
    issues: isNamed ? issues : [...issues, 'edition.json: names: are not those of the vocabulary'],
    verified: `${derived.length} feeds, embeds, listings and documents were derived again: all the same`,
  };
}

/** Tells if a page has the average and the number of reviews, in the digits of any Latin language. */
function showsRating(html: string, { aggregate_rating: rating }: ReviewsDataset): boolean {
  const words = html.replaceAll(/<[^<>]*>/g, ' ');
  const shown = new Set(
    (words.match(/\d[\d.,\u00a0\u202f]*/g) ?? []).map((each) => each.replaceAll(/\D/g, '')),
  );
  const expected = [rating.rating_value?.toFixed(2), String(rating.review_count)];
  return (
    rating.rating_value === null || expected.every((each) => shown.has(each!.replace('.', '')))
  );
}

/** Puts together the data of an edition from what is published of it. */
function sourceOf(published: PublishedSite): Source {
  const { changes, dataset, inputs, insights, journal, labels, manifest, provenance } = published;
  const sidecar = manifest.resources.every(({ path }) => path !== SEARCH_WORKER_PATH);
  const feed = manifest.resources.find(({ path }) => path === ATOM_PATH)!;
  const [, hub = null] =
    /<([^>]+)>; rel="hub"/.exec(manifest.header_sets[feed.headers]!.link ?? '') ?? [];
  return {
    baseUrl: manifest.base_url,
    language: manifest.site?.language,
    sidecar,
    hub,
    dataset,
    insights,
    insightsInputs: inputs,
    provenance,
    journal: {
      changes,
      head: { seq: journal.seq, hash: journal.hash },
      complete: journal.complete,
    },
    names: manifest.names,
    lines: reviewLines(published.reviews),
    labels: Buffer.from(labels),
  };
}
