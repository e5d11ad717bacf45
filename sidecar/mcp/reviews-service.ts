import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type CompleteRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { INTERFACE_VERSION } from '../../src/schema/dataset.ts';
import type { Meters } from '../base/meters.ts';
import type { Edition } from '../edition/edition.ts';
import { sharedResult, type EncodedResult, type Result } from './encode.ts';
import { INVALID_PARAMS, McpError } from './error.ts';
import { checkPrompt, getPrompt, PROMPTS } from './prompts.ts';
import { readResource, RESOURCES, RESOURCE_TEMPLATES, REVIEW_TEMPLATE } from './resources.ts';
import { defineMethod, type McpService, type Method } from './service.ts';
import { servicesLike } from './tools/entities.ts';
import { meteredCalls, toolList } from './tools/registry.ts';

/** Serves the reviews of one business as tools, resources and a prompt, all of them read-only. */
export function reviewsService(edition: () => Edition, meters: Meters): McpService {
  const callTool = meteredCalls(meters);
  return {
    serverInfo: { name: 'reviews-service', title: 'Customer reviews', version: INTERFACE_VERSION },
    capabilities: { completions: {}, prompts: {}, resources: {}, tools: {} },
    instructions:
      'Answers questions about one business from its verified customer reviews, and only reads. ' +
      'Begin with get_summary or get_business, find ids with list_insights, and find what customers wrote with search_reviews. ' +
      'Cite each review you rely on by its url, and say so when no review answers the question.',
    methods: new Map<string, Method>([
      ['tools/list', list(ListToolsRequestSchema, toolList)],
      ['resources/list', list(ListResourcesRequestSchema, () => RESOURCES)],
      [
        'resources/templates/list',
        list(ListResourceTemplatesRequestSchema, () => RESOURCE_TEMPLATES),
      ],
      ['prompts/list', list(ListPromptsRequestSchema, () => PROMPTS)],
      [
        'tools/call',
        defineMethod(CallToolRequestSchema, ({ params }) =>
          callTool(params.name, params.arguments ?? {}, edition()),
        ),
      ],
      [
        'resources/read',
        defineMethod(ReadResourceRequestSchema, ({ params }) =>
          readResource(params.uri, edition()),
        ),
      ],
      [
        'prompts/get',
        defineMethod(GetPromptRequestSchema, ({ params }) =>
          getPrompt(params.name, params.arguments ?? {}, edition()),
        ),
      ],
      [
        'completion/complete',
        defineMethod(CompleteRequestSchema, ({ params }) => complete(params, edition())),
      ],
    ]),
  };
}

/** Defines a list of one page, which is encoded once. */
function list<T extends { method: string; params?: { cursor?: string | undefined } | undefined }>(
  schema: z.ZodType<T>,
  make: () => object,
): Method {
  let encoded: EncodedResult | undefined;
  return defineMethod(schema, ({ params }) => {
    if (params?.cursor !== undefined) {
      throw new McpError(INVALID_PARAMS, 'Invalid params: unknown cursor, the list has one page');
    }
    return (encoded ??= sharedResult(make()));
  });
}

/** Values of one completion (MCP 2025-11-25, server/utilities/completion). */
const VALUES_MAX = 100;

/** Completes the id in the template of reviews and the service of the prompt, and nothing else. */
function complete({ ref, argument: { name, value } }: CompleteParams, edition: Edition): Result {
  let values: readonly string[] = [];
  if (ref.type === 'ref/resource' && ref.uri === REVIEW_TEMPLATE && name === 'id') {
    values = edition.ids.startingWith(value.toUpperCase(), VALUES_MAX + 1);
  } else if (ref.type === 'ref/prompt') {
    checkPrompt(ref.name);
    if (name === 'service') values = servicesLike(value, edition);
  }
  return {
    completion: { values: values.slice(0, VALUES_MAX), hasMore: values.length > VALUES_MAX },
  };
}

type CompleteParams = CompleteRequest['params'];
