import type { InsightsDigest } from '../../src/schema/insights-digest.ts';
import {
  aspectPath,
  FAQ_PATH,
  INSIGHTS_PAGE_PATH,
  servicePath,
  technicianPath,
} from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';

/** Each kind of thing that insights tell of, with its entries and the page of one. */
const KINDS = {
  aspect: { of: ({ aspects }: InsightsDigest) => aspects, page: aspectPath },
  technician: { of: ({ entities }: InsightsDigest) => entities.technicians, page: technicianPath },
  service: { of: ({ entities }: InsightsDigest) => entities.services, page: servicePath },
  problem: { of: ({ entities }: InsightsDigest) => entities.problems, page: () => '' },
  area: { of: ({ entities }: InsightsDigest) => entities.service_areas, page: () => '' },
  topic: { of: ({ topics }: InsightsDigest) => topics, page: () => '' },
  faq: { of: ({ faq }: InsightsDigest) => faq, page: (id: string) => `${FAQ_PATH}#${id}` },
} as const;
export type EntryKind = keyof typeof KINDS;
export const ENTRY_KINDS = Object.keys(KINDS) as EntryKind[];

export interface Entry {
  kind: EntryKind;
  id: string;
  label: string;
  /** The number of reviews that mention the entry. */
  reviews: number;
  /** As in the insights. */
  value: object;
}

/** Returns the entries of a kind, in the order of the insights. */
export function entriesOf(kind: EntryKind, insights: InsightsDigest): Entry[] {
  return KINDS[kind].of(insights).map((value) => ({
    kind,
    id: value.id,
    label: 'label' in value ? value.label : value.question,
    reviews:
      'mention_count' in value
        ? value.mention_count
        : 'review_count' in value
          ? value.review_count
          : value.evidence_count,
    value,
  }));
}

/** Returns the page of an entry, or that of all insights if it has none of its own. */
export function entryUrl(entry: Entry, edition: Edition): string {
  return ownUrl(entry, edition) ?? edition.manifest.base_url + INSIGHTS_PAGE_PATH;
}

function ownUrl({ kind, id }: Entry, { files, manifest }: Edition): string | undefined {
  const path = KINDS[kind].page(id);
  return files.has(path.split('#')[0]!) ? manifest.base_url + path : undefined;
}

/** Returns the entry that has a page of its own at this address. */
export function entryWithPage(url: string, edition: Edition): Entry | undefined {
  return ENTRY_KINDS.flatMap((kind) => entriesOf(kind, edition.insights)).find(
    (entry) => ownUrl(entry, edition) === url,
  );
}

const PREFIX = 'reviews://';

/** Returns the URI of the resource that is one entry, or with `{id}` the template of a kind. */
export function entryUri(kind: EntryKind, id: string): string {
  return `${PREFIX}${kind}/${id}`;
}

export function entryAt(uri: string, insights: InsightsDigest): Entry | undefined {
  const kind = ENTRY_KINDS.find((kind) => uri.startsWith(entryUri(kind, '')));
  return kind && entriesOf(kind, insights).find(({ id }) => uri === entryUri(kind, id));
}
