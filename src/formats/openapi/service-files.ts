import {
  AI_CATALOG_PATH,
  AI_CATALOG_TYPE,
  EDITION_KEY_PATH,
  EDITION_PATH,
  EDITION_SIGNATURE_PATH,
  HEALTH_PATH,
  LLMS_PATH,
  MCP_APP_PATH,
  OPENAPI_PATH,
  READINESS_PATH,
  ROBOTS_PATH,
  schemaPath,
  SECURITY_PATH,
  SERVER_CARD_PATH,
  SERVER_CARD_TYPE,
  SERVER_PATH,
  SITEMAP_PATH,
} from '../../paths.ts';
import { json, PLAIN_TYPE, probe, textResponse } from './answers.ts';
import { publishedFiles } from './published-files.ts';
import type { Operation } from './operation.ts';

/** Files that describe the service to programs. */
export const SERVICE_FILES: readonly Operation[] = publishedFiles([
  {
    id: 'getOpenApi',
    path: OPENAPI_PATH,
    tag: 'Service',
    summary: 'This document',
    description: 'OpenAPI 3.1.0 of every path of the service.',
    answer: json('JsonObject', 'The document.'),
  },
  {
    id: 'getSchema',
    path: schemaPath('{name}'),
    tag: 'Service',
    summary: 'The JSON Schema of a document',
    description: 'JSON Schema 2020-12 of published documents and of files of a dataset.',
    pathParameters: {
      name: {
        description: 'Name of the document, e.g. search-result.',
        schema: { type: 'string' },
        example: 'reviews-dataset',
      },
    },
    answer: json('JsonObject', 'The schema; its $id is its address.'),
  },
  {
    id: 'getEdition',
    path: EDITION_PATH,
    tag: 'Service',
    summary: 'Every file of the edition',
    description: 'Path, type, size, digest, headers and compressed forms of every file.',
    answer: json('EditionManifest', 'The manifest.'),
  },
  {
    id: 'getEditionSignature',
    path: EDITION_SIGNATURE_PATH,
    tag: 'Service',
    summary: 'The signature of the edition',
    description:
      'Ed25519 over the digest of edition.json, a number that grows, and a time after which it is void; only of a site that signs its editions.',
    answer: json('EditionSignature', 'The signature.'),
    isOptional: true,
  },
  {
    id: 'getEditionKeys',
    path: EDITION_KEY_PATH,
    tag: 'Service',
    summary: 'The keys that sign editions',
    description: 'A JSON Web Key Set (RFC 7517); only of a site that signs its editions.',
    answer: json('JsonObject', 'The public keys.'),
    isOptional: true,
  },
  {
    id: 'getMcpServer',
    path: SERVER_PATH,
    tag: 'MCP',
    summary: 'The MCP server, for registries',
    description: 'The format of the MCP registry, server.json of 2025-12-11.',
    answer: json('JsonObject', 'The entry.'),
  },
  {
    id: 'getMcpApp',
    path: MCP_APP_PATH,
    tag: 'MCP',
    summary: 'The card of the MCP server',
    description:
      'The resource that assistants show with get_summary: one HTML document that loads nothing (MCP Apps 2026-01-26).',
    answer: json('JsonObject', 'The resource, as resources/read returns it.'),
  },
  {
    id: 'getAiCatalog',
    path: AI_CATALOG_PATH,
    tag: 'MCP',
    summary: 'The MCP server, for catalogs',
    description: 'Leads assistants from the address of the site to the server card.',
    answer: { description: 'The catalog.', content: { [AI_CATALOG_TYPE]: 'JsonObject' } },
  },
  {
    id: 'getServerCard',
    path: SERVER_CARD_PATH,
    tag: 'MCP',
    summary: 'The MCP server, for clients',
    description: 'The server card: name, description and address of the endpoint.',
    answer: { description: 'The card.', content: { [SERVER_CARD_TYPE]: 'JsonObject' } },
  },
  {
    id: 'getLlmsText',
    path: LLMS_PATH,
    tag: 'Service',
    summary: 'An overview for assistants',
    description: 'Markdown as llmstxt.org describes it.',
    answer: textResponse(PLAIN_TYPE, 'The overview.'),
  },
  {
    id: 'getRobots',
    path: ROBOTS_PATH,
    tag: 'Service',
    summary: 'Rules for crawlers',
    description: 'RFC 9309: everything may be crawled except searches.',
    answer: textResponse(PLAIN_TYPE, 'The rules.'),
  },
  {
    id: 'getSitemap',
    path: SITEMAP_PATH,
    tag: 'Service',
    summary: 'The pages of the site',
    description: 'The format of sitemaps.org.',
    answer: textResponse('application/xml', 'The sitemap.'),
  },
  {
    id: 'getSecurityText',
    path: SECURITY_PATH,
    tag: 'Service',
    summary: 'Contact for security reports',
    description: 'RFC 9116.',
    answer: textResponse(PLAIN_TYPE, 'The contact.'),
  },
]);

/** Health checks. */
export const PROBES: readonly Operation[] = [
  {
    id: 'getHealth',
    method: 'get',
    path: HEALTH_PATH,
    tag: 'Service',
    summary: 'The process responds',
    description: 'For load balancers; says nothing of the hub or its store.',
    answers: probe({ 200: json('Health', 'It does.') }),
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: READINESS_PATH,
    tag: 'Service',
    summary: 'The state of every part',
    description: 'For operators: edition, hub and store.',
    answers: probe({
      200: json('Health', 'Every part does its work.'),
      503: json('Health', 'A part cannot do its work.'),
    }),
  },
];
