import { percentageOrNull } from '../base/round.ts';
import { PROVENANCE_PATH } from '../paths.ts';
import type { BusinessRecord } from '../schema/business.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import { STARS, type InsightsDataset, type PerReview } from '../schema/insights.ts';
import { reasonCode } from '../schema/journal.ts';
import {
  provenance as schema,
  type ImportRecord,
  type Provenance,
  type Tombstone,
  verificationOf,
} from '../schema/provenance.ts';
import { verificationLevelOf } from '../schema/platforms.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { documentResource, json } from './resource.ts';

export const PROVENANCE = documentResource({
  id: 'getProvenance',
  path: PROVENANCE_PATH,
  tag: 'Reviews',
  title: 'Where the reviews come from',
  description:
    'By platform, how it was checked there that customers wrote them, how many reviews it shows and how many are published; the exports they came from with their SHA-256, what was left out, what was changed, and who read the reviews.',
  schemas: { provenance: schema },
  build: ({ provenance }) => json(provenance),
  example: 'Abridged',
});

/** The parts of a dataset folder that tell where its reviews come from. */
export interface Origins {
  business: Pick<BusinessRecord, 'author_display' | 'solicitation'>;
  reviews: readonly Pick<ReviewRecord, 'source' | 'source_digest' | 'verified'>[];
  withdrawn: readonly Tombstone[];
  /** Oldest first. */
  imports: readonly ImportRecord[];
}

/** The rule of reviews that no import brought; `verified` is then a statement of the owner. */
const BY_HAND =
  'Entered by hand. The business states that a customer wrote each of these reviews on the ' +
  'platform named; no program checked it.';

/** The beginning of the format of a table whose columns the owner named; they stay the owner's. */
const MAPPED = /^(?:\w+, )?columns /;

export function describeProvenance(
  { business, reviews, withdrawn, imports }: Origins,
  dataset: Pick<ReviewsDataset, 'edition' | 'coverage' | 'journal'>,
  insights: Readings,
): Provenance {
  const newest = imports.toReversed();
  const sources = new Set(
    [...reviews, ...withdrawn].flatMap(({ source }) => (source === undefined ? [] : [source])),
  );
  return {
    edition: dataset.edition,
    coverage: dataset.coverage,
    sources: [...sources]
      .map((source) => {
        const known = reviews.filter((review) => review.source === source);
        const published = known.filter(({ verified }) => verified);
        const latest = newest.find(({ sources }) => sources.includes(source));
        return {
          source,
          level: verificationLevelOf(source, latest !== undefined),
          verification: (latest && verificationOf(latest, source)) ?? BY_HAND,
          published: published.length,
          unverified: known.length - published.length,
          withdrawn: withdrawn.filter((tombstone) => tombstone.source === source).length,
          by_hand: published.filter(({ source_digest }) => source_digest === undefined).length,
          platform_total: platformTotal(newest, source),
        };
      })
      .sort((a, b) => b.published - a.published || (a.source < b.source ? -1 : 1)),
    imports: newest.map(
      ({ imported_at, sha256, format, sources, rows, skipped, platform_total }) => ({
        imported_at,
        sha256,
        format: MAPPED.test(format) ? 'table, columns named by the owner' : format,
        sources,
        rows,
        skipped,
        ...(platform_total !== undefined && { platform_total }),
      }),
    ),
    withdrawn: withdrawn
      .map(({ id, date, source, withdrawn_at, reason }) => ({
        id,
        date,
        ...(source !== undefined && { source }),
        withdrawn_at,
        reason: reasonCode(reason),
      }))
      .toSorted((a, b) => compare(b.withdrawn_at, a.withdrawn_at) || compare(b.id, a.id)),
    solicitation: business.solicitation,
    changes: changesOf(business.author_display, imports.length > 0),
    readers: readersOf(insights),
    journal: dataset.journal,
  };
}

/**
 * Returns how many reviews a platform said it has. A business may have several listings, each a file
 * of its own: their totals add up only if one import read all of them.
 *
 * @param imports newest first
 */
function platformTotal(
  imports: readonly ImportRecord[],
  source: string,
): Provenance['sources'][number]['platform_total'] {
  const own = imports.filter(
    ({ sources, platform_total }) =>
      platform_total !== undefined && sources.length === 1 && sources[0] === source,
  );
  const [latest] = own;
  if (!latest) return null;
  const files = new Set(own.map(({ file }) => file));
  const isAll = [...Map.groupBy(own, ({ imported_at }) => imported_at).values()].some(
    (together) => new Set(together.map(({ file }) => file)).size === files.size,
  );
  if (!isAll) return null;
  const count = [...files].reduce((sum, name) => {
    const at = own.find(({ file }) => file === name)!.imported_at;
    const same = own.filter(({ file, imported_at }) => file === name && imported_at === at);
    return sum + same.reduce((total, { platform_total }) => total + platform_total!, 0);
  }, 0);
  return { count, at: latest.imported_at };
}

/** States how names of authors are published, by the setting of business.json. */
const NAMES: Record<BusinessRecord['author_display'], string> = {
  full: 'Names of authors are published as their platform shows them.',
  'first-initial':
    'Names of authors are shortened by importing to the first name and an initial: Ada L.',
  initials: 'Names of authors are shortened by importing to initials: A. L.',
};

/** Lists what importing and the build do to reviews. The rules are those of `src/owner/import`. */
function changesOf(
  authorDisplay: BusinessRecord['author_display'],
  isImported: boolean,
): Provenance['changes'] {
  const imported = [
    {
      id: 'translations',
      rule: 'Machine translations that a platform added are removed, so the words are the customer’s own.',
    },
    {
      id: 'invisible-characters',
      rule: 'Control characters and invisible characters that can hide or reorder words are removed.',
    },
    {
      id: 'stars',
      rule: 'Ratings of other scales and half stars are rounded to whole stars, halves up, and kept as given in score; a recommendation counts as 5, advice against as 1.',
    },
    {
      id: 'parts',
      rule: 'Where a form asks for praise and criticism apart, both are one text; criticism_at says where the criticism begins, and pages write a label before each.',
    },
    { id: 'names', rule: NAMES[authorDisplay] },
  ];
  const byHand = [
    {
      id: 'invisible-characters',
      rule: 'A text with control characters or invisible characters is refused, not changed.',
    },
    { id: 'names', rule: 'Names of authors are published as they were entered.' },
  ];
  return [
    ...(isImported ? imported : byHand),
    {
      id: 'texts',
      rule: 'Otherwise texts, titles and replies are published in full, word for word. None is shortened, translated or corrected by the program.',
    },
  ];
}

/** The part of the insights that says who read what. */
interface Readings {
  per_review: Readonly<Record<string, Pick<PerReview, 'source'>>>;
  coverage: Pick<InsightsDataset['coverage'], 'read_count'>;
  method: Pick<InsightsDataset['method'], 'engine' | 'annotated_reviews'>;
}

/** Counts the reviews whose words each reader read; the engine reads some languages only. */
function readersOf({ per_review, coverage, method }: Readings): Provenance['readers'] {
  const readings = Object.values(per_review);
  const { annotated_reviews: annotated, engine } = method;
  const byReader = Map.groupBy(readings, ({ source }) => source);
  return [...byReader]
    .map(([name, own]): [string, number] => [
      name,
      name === engine ? coverage.read_count - annotated : own.length,
    ])
    .filter(([name, count]) => name !== STARS && count > 0)
    .map(([name, count]) => ({
      name,
      review_count: count,
      share_pct: percentageOrNull(count, readings.length)!,
    }))
    .sort((a, b) => b.review_count - a.review_count || compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
