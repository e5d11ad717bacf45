import { z } from 'zod';
import { manifest } from '../../edition/manifest.ts';
import { business } from '../../schema/business.ts';
import { countFilters, countResult, reviewGroup } from '../../schema/count.ts';
import { aggregateRating, coverage, reviewsDataset, sinceResult } from '../../schema/dataset.ts';
import { editionSignature } from '../../schema/edition-signature.ts';
import { errorBody, issue } from '../../schema/error.ts';
import { hubPing, hubRequest } from '../../schema/hub-request.ts';
import {
  aspect,
  entity,
  faqAnswer,
  insightsDataset,
  insightsTopic,
  month,
  perReview,
  technicianEntity,
  temporal,
} from '../../schema/insights.ts';
import { provenance } from '../../schema/provenance.ts';
import { insightsDigest } from '../../schema/insights-digest.ts';
import { insightsInputs } from '../../schema/insights-inputs.ts';
import {
  changesDocument,
  journalDocument,
  journalEntry,
  journalHead,
  monthChanges,
} from '../../schema/journal.ts';
import { jsonFeedArchiveDocument, jsonFeedDocument, jsonFeedItem } from '../../schema/json-feed.ts';
import { reviewLabels } from '../../schema/labels.ts';
import { dataLicense } from '../../schema/license.ts';
import {
  goneBody,
  reviewDocument,
  reviewEmbed,
  withdrawnReview,
} from '../../schema/review-document.ts';
import { mentions, ownerReply, review } from '../../schema/review.ts';
import { briefReview, searchFilters, searchResult } from '../../schema/search.ts';
import { historyDocument, summaryDocument } from '../../schema/summary.ts';

const id = z.union([z.string(), z.int()]);

/** A JSON-RPC 2.0 message of MCP (contract, section 4.8). */
const jsonRpcRequest = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.optional(),
    method: z.string().describe('initialize, tools/list, tools/call, …'),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ title: 'JSON-RPC request' });

const jsonRpcResponse = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional()
      .describe('In place of result when the request failed.'),
  })
  .meta({ title: 'JSON-RPC response' });

/** The state of the process, or of each of its parts. */
const health = z
  .object({ ok: z.boolean() })
  .catchall(z.unknown())
  .describe('ok, and for readiness an object with ok for each part.')
  .meta({ title: 'Health' });

const jsonObject = z.record(z.string(), z.unknown()).meta({ title: 'JSON object' });

/** The named schemas, in reading order. */
const NAMED = {
  ReviewsDataset: reviewsDataset,
  License: dataLicense,
  Business: business,
  AggregateRating: aggregateRating,
  Coverage: coverage,
  Review: review,
  OwnerReply: ownerReply,
  Mentions: mentions,
  Summary: summaryDocument,
  History: historyDocument,
  ReviewDocument: reviewDocument,
  ReviewEmbed: reviewEmbed,
  InsightsDataset: insightsDataset,
  Aspect: aspect,
  Entity: entity,
  TechnicianEntity: technicianEntity,
  Topic: insightsTopic,
  Temporal: temporal,
  Month: month,
  PerReview: perReview,
  FaqAnswer: faqAnswer,
  Provenance: provenance,
  InsightsDigest: insightsDigest,
  InsightsInputs: insightsInputs,
  ReviewLabels: reviewLabels,
  SearchResult: searchResult,
  SearchFilters: searchFilters,
  BriefReview: briefReview,
  CountResult: countResult,
  CountFilters: countFilters,
  ReviewGroup: reviewGroup,
  SinceResult: sinceResult,
  JsonFeed: jsonFeedDocument,
  JsonFeedArchive: jsonFeedArchiveDocument,
  JsonFeedItem: jsonFeedItem,
  Changes: changesDocument,
  MonthChanges: monthChanges,
  Change: journalEntry,
  Journal: journalDocument,
  JournalHead: journalHead,
  Error: errorBody,
  Issue: issue,
  Gone: goneBody,
  Tombstone: withdrawnReview,
  HubRequest: hubRequest,
  HubPing: hubPing,
  JsonRpcRequest: jsonRpcRequest,
  JsonRpcResponse: jsonRpcResponse,
  EditionManifest: manifest,
  EditionSignature: editionSignature,
  Health: health,
  JsonObject: jsonObject,
} as const satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof NAMED;
export type JsonSchema = z.core.JSONSchema.JSONSchema;

const PREFIX = '#/components/schemas/';

export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: PREFIX + name };
}

/** Returns the name in a reference made by {@link schemaRef}; undefined for other schemas. */
export function referencedName({ $ref }: JsonSchema): SchemaName | undefined {
  return $ref?.startsWith(PREFIX) ? ($ref.slice(PREFIX.length) as SchemaName) : undefined;
}

let derived: Record<SchemaName, JsonSchema> | undefined;

/** Returns the JSON Schema (2020-12) of everything named, with references to each other. */
export function componentSchemas(): Readonly<Record<SchemaName, JsonSchema>> {
  return (derived ??= deriveSchemas());
}

function deriveSchemas(): Record<SchemaName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => PREFIX + id,
    override: ({ jsonSchema }) => loosen(jsonSchema),
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas as Record<SchemaName, JsonSchema>;
}

/** Allows additional fields and elements, because a version may add some. */
function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.items === false) {
    schema.items = {};
    delete schema.maxItems;
  }
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
