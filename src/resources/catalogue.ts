import { ATOM_ARCHIVE, ATOM_FEED } from './atom.ts';
import { BADGE, DARK_BADGE } from './badge.ts';
import { CHANGES, MONTH_CHANGES } from './changes.ts';
import { CROISSANT } from './croissant.ts';
import { EDITION, EDITION_SIGNATURE, EDITION_KEYS } from './edition.ts';
import { PROBES } from './health.ts';
import { HISTORY } from './history.ts';
import { HUB } from './hub.ts';
import { INSIGHTS, INSIGHTS_DIGEST, INSIGHTS_INPUTS, REVIEW_LABELS } from './insights.ts';
import { JOURNAL } from './journal.ts';
import { JSON_FEED, JSON_FEED_ARCHIVE } from './json-feed.ts';
import { LICENSE } from './license.ts';
import { LLMS } from './llms.ts';
import { MCP_OPERATIONS } from './mcp.ts';
import { MCP_APP, MCP_SERVER, SERVER_CARD } from './mcp-server.ts';
import { OPENAPI } from './openapi/document.ts';
import type { Operation } from './operation.ts';
import { PROVENANCE } from './provenance.ts';
import { instancesOf, type DocumentResource, type Instance } from './resource.ts';
import { REVIEW } from './review.ts';
import { NDJSON, REVIEWS, SQLITE } from './reviews.ts';
import { CSV } from './reviews-csv.ts';
import { ROBOTS } from './robots.ts';
import { SCHEMAS } from './schemas.ts';
import { COUNT, SEARCH } from './search.ts';
import { SECURITY } from './security.ts';
import { SINCE, SINCE_FILE } from './since.ts';
import { SITE_EMBED } from './site-embed.ts';
import { SITEMAP } from './sitemap.ts';
import type { Source } from './source.ts';
import { SUMMARY } from './summary.ts';

/**
 * Every document and every operation for programs: first those of the contract, in the order of its
 * section 4. Endpoints, OpenAPI, the schemas, llms.txt and the pages for developers come from this list.
 */
export const OPERATIONS: readonly (Operation | DocumentResource)[] = [
  REVIEWS,
  INSIGHTS,
  PROVENANCE,
  JSON_FEED,
  ATOM_FEED,
  SEARCH,
  COUNT,
  SINCE,
  SINCE_FILE,
  ...MCP_OPERATIONS,
  HUB,

  NDJSON,
  CSV,
  SQLITE,
  CROISSANT,
  SUMMARY,
  HISTORY,
  REVIEW,
  BADGE,
  DARK_BADGE,
  SITE_EMBED,
  JSON_FEED_ARCHIVE,
  ATOM_ARCHIVE,
  CHANGES,
  MONTH_CHANGES,
  JOURNAL,
  INSIGHTS_DIGEST,
  INSIGHTS_INPUTS,
  REVIEW_LABELS,

  OPENAPI,
  SCHEMAS,
  EDITION,
  EDITION_SIGNATURE,
  EDITION_KEYS,
  MCP_SERVER,
  MCP_APP,
  SERVER_CARD,
  LLMS,
  ROBOTS,
  LICENSE,
  SITEMAP,
  SECURITY,
  ...PROBES,
];

/** Returns the operations of an edition: a site without a sidecar has files alone, and none about MCP. */
export function operationsOf({ sidecar }: Pick<Source, 'sidecar'>): typeof OPERATIONS {
  return sidecar
    ? OPERATIONS.filter((each) => each !== SINCE_FILE)
    : OPERATIONS.filter((each) => 'type' in each && each.tag !== 'MCP' && each !== SINCE);
}

export const RESOURCES = OPERATIONS.filter((operation) => 'type' in operation);

/** Returns the documents of an edition, which has the listings of the contract in any case. */
export function documentsOf(source: Pick<Source, 'sidecar'>): readonly DocumentResource[] {
  const operations = operationsOf(source);
  return RESOURCES.filter((resource) => resource === SINCE || operations.includes(resource));
}

/** Returns every document of an edition that needs nothing but its source. */
export function instances(source: Source): { resource: DocumentResource; instance: Instance }[] {
  const operations = operationsOf(source);
  return documentsOf(source).flatMap((resource) =>
    instancesOf(resource, source, operations).map((instance) => ({ resource, instance })),
  );
}

const FIXED = new Map(RESOURCES.map((resource) => [resource.path, resource]));
const FAMILIES = RESOURCES.filter(({ path }) => path.includes('{')).map((resource) => {
  const pattern = resource.path
    .replaceAll('.', String.raw`\.`)
    .replace(/\{\w+\}/, String.raw`[\w-]+`);
  return { resource, pattern: new RegExp(`^${pattern}$`) };
});

export function resourceAt(path: string): DocumentResource | undefined {
  return FIXED.get(path) ?? FAMILIES.find(({ pattern }) => pattern.test(path))?.resource;
}
