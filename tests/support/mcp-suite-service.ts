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
import { INVALID_PARAMS, McpError, RESOURCE_NOT_FOUND } from '../../sidecar/mcp/message.ts';
import { defineMethod, type McpService } from '../../sidecar/mcp/service.ts';

// The tools, resources and prompts that the conformance suite expects of a server under test, each
// as its scenario states it.

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

const TOOLS: Record<string, { content: object[]; isError?: true }> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  },
  json_schema_2020_12_tool: { content: [text('Nothing is checked here.')] },
};

/** Keywords that a listing must keep. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const PROMPTS: Record<string, { arguments: string[]; messages(args: Args): object[] }> = {
  test_simple_prompt: {
    arguments: [],
    messages: () => [text('This is a simple prompt for testing.')],
  },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri }) => [
      resource(resourceUri!, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    arguments: [],
    messages: () => [image, text('Please analyze the image above.')],
  },
};
type Args = Readonly<Record<string, string>>;

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function contentOf(uri: string): object | undefined {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
  }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  if (uri !== 'test://static-text') return undefined;
  return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
}

const listed = (uri: string) => ({ uri, name: uri, description: `The resource ${uri}` });

export const suiteService: McpService = {
  introduce: () => ({
    serverInfo: { name: 'conformance-suite-service', version: '1.0.0' },
    instructions: 'Made for the conformance suite.',
  }),
  capabilities: { completions: {}, prompts: {}, resources: {}, tools: {} },
  methods: {
    'tools/list': defineMethod(ListToolsRequestSchema, () => ({
      tools: Object.keys(TOOLS).map((name) => ({
        name,
        description: `The tool ${name} of the conformance suite`,
        inputSchema: name.startsWith('json_schema') ? SCHEMA_2020_12 : { type: 'object' },
      })),
    })),
    'tools/call': defineMethod(CallToolRequestSchema, (params) => {
      const result = TOOLS[params.name];
      if (!result) throw new McpError(INVALID_PARAMS, 'Unknown tool');
      return result;
    }),
    'resources/list': defineMethod(ListResourcesRequestSchema, () => ({
      resources: ['test://static-text', 'test://static-binary'].map(listed),
    })),
    'resources/templates/list': defineMethod(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    })),
    'resources/read': defineMethod(ReadResourceRequestSchema, ({ uri }) => {
      const content = contentOf(uri);
      if (!content) throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { data: { uri } });
      return { contents: [content] };
    }),
    'prompts/list': defineMethod(ListPromptsRequestSchema, () => ({
      prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
        name,
        description: `The prompt ${name} of the conformance suite`,
        arguments: prompt.arguments.map((name) => ({ name, required: true })),
      })),
    })),
    'prompts/get': defineMethod(GetPromptRequestSchema, (params) => {
      const prompt = PROMPTS[params.name];
      if (!prompt) throw new McpError(INVALID_PARAMS, 'Unknown prompt');
      const contents = prompt.messages(params.arguments ?? {});
      return { messages: contents.map((content) => ({ role: 'user', content })) };
    }),
    'completion/complete': defineMethod(CompleteRequestSchema, () => ({
      completion: { values: [], hasMore: false },
    })),
  },
};
