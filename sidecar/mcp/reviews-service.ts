import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { INTERFACE_VERSION } from '../../src/schema/dataset.ts';
import type { Edition } from '../edition/edition.ts';
import type { Meters } from '../base/meters.ts';
import { complete } from './completion.ts';
import { INVALID_PARAMS, McpFault } from './fault.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { readResource, RESOURCES, RESOURCE_TEMPLATES } from './resources.ts';
import { FixedResult } from './result.ts';
import { defineMethod, type McpService, type Method } from './service.ts';
import { toolList } from './tools/catalogue.ts';
import { meteredCalls } from './tools/metered-calls.ts';

/** The reviews of one business as tools, resources and a prompt. Nothing in it changes anything. */
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

/** A list of one page, serialised when it is first asked for and the same ever after. */
function list<T extends { method: string; params?: { cursor?: string | undefined } | undefined }>(
  schema: z.ZodType<T>,
  make: () => object,
): Method {
  let made: FixedResult | undefined;
  return defineMethod(schema, ({ params }) => {
    if (params?.cursor !== undefined) {
      throw new McpFault(
        INVALID_PARAMS,
        'Invalid params: there is no such cursor, the list has one page',
      );
    }
    return (made ??= new FixedResult(make()));
  });
}
