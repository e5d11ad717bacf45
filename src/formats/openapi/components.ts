import { z } from 'zod';
import { business } from '../../schema/business.ts';
import { countFilters, countResult, reviewGroup } from '../../schema/count.ts';
import { aggregateRating, coverage, reviewsDataset } from '../../schema/dataset.ts';
import { errorBody, issue } from '../../schema/error.ts';
import { hubRequest } from '../../schema/hub-request.ts';
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
import { jsonFeedDocument, jsonFeedItem } from '../../schema/json-feed.ts';
import { provenance } from '../../schema/provenance-document.ts';
import { mentions, ownerReply, review } from '../../schema/review.ts';
import { briefReview, searchFilters, searchResult } from '../../schema/search.ts';
import { sinceResult } from '../../schema/since.ts';

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

/** The named schemas, in reading order. */
const NAMED = {
  ReviewsDataset: reviewsDataset,
  Business: business,
  AggregateRating: aggregateRating,
  Coverage: coverage,
  Review: review,
  OwnerReply: ownerReply,
  Mentions: mentions,
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
  SearchResult: searchResult,
  SearchFilters: searchFilters,
  BriefReview: briefReview,
  CountResult: countResult,
  CountFilters: countFilters,
  ReviewGroup: reviewGroup,
  SinceResult: sinceResult,
  JsonFeed: jsonFeedDocument,
  JsonFeedItem: jsonFeedItem,
  Error: errorBody,
  Issue: issue,
  HubRequest: hubRequest,
  JsonRpcRequest: jsonRpcRequest,
  JsonRpcResponse: jsonRpcResponse,
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

/** Returns the JSON Schema (2020-12) of everything named, with references to each other. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
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

/** Allows additional fields, because a version may add some. */
function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
