import { DEVELOPERS_PATH } from '../../paths.ts';
import { INTERFACE_VERSION } from '../../schema/dataset.ts';
import { componentSchemas, schemaRef, type JsonSchema, type SchemaName } from './components.ts';
import { OPERATIONS, type Answer, type Operation } from './operations.ts';

/** Returns the OpenAPI 3.1.0 description of the service; schemas come from `src/schema`. */
export function openApiDocument(baseUrl: string, businessName: string) {
  const schemas = componentSchemas();
  return {
    openapi: '3.1.0',
    info: {
      title: `Reviews of ${businessName}`,
      version: INTERFACE_VERSION,
      summary: 'Verified customer reviews, insights, search, MCP tools and WebSub.',
      description:
        'Public and read-only: no key, account or token. An Authorization header is ignored; do not send one. Mcp-Session-Id names a session and is not a credential.',
    },
    servers: [{ url: baseUrl }],
    security: [],
    externalDocs: { url: baseUrl + DEVELOPERS_PATH, description: 'Guide with real responses.' },
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [
        operation.path,
        { [operation.method]: describe(operation, schemas) },
      ]),
    ),
    components: { schemas, headers: HEADERS },
  };
}

const HEADERS = {
  ETag: { description: 'Strong validator; send it back in If-None-Match.', schema: text() },
  LastModified: { description: 'When the edition was made.', schema: text() },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  McpSessionId: { description: 'Given by initialize; not a credential.', schema: text() },
};

function text(): JsonSchema {
  return { type: 'string' };
}

function describe(operation: Operation, schemas: Record<SchemaName, JsonSchema>) {
  const { id, summary, description, body, answers } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation, schemas)];
  return {
    operationId: id,
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { [body.type]: { schema: schemaRef(body.schema) } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        toResponse(Number(status), answer, operation),
      ]),
    ),
  };
}

function toResponse(status: number, { description, type, schema }: Answer, operation: Operation) {
  const headers = headersOf(status, operation);
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(
        headers.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]),
      ),
    }),
    ...(type && { content: { [type]: { schema: schema ? schemaRef(schema) : text() } } }),
  };
}

function headersOf(status: number, { method, id, query }: Operation): string[] {
  if (status === 429 || status === 503) return ['Retry-After'];
  if (id === 'callMcp') return status === 200 ? ['Mcp-Session-Id'] : [];
  if (method !== 'get' || status > 304) return [];
  return query ? ['ETag'] : ['ETag', 'Last-Modified'];
}

function pathParameters({ pathParameters = {} }: Operation) {
  return Object.entries(pathParameters).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', format: 'date' },
  }));
}

function queryParameters({ query }: Operation, schemas: Record<SchemaName, JsonSchema>) {
  return Object.entries((query && schemas[query].properties) ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: 'query', required: false, description, schema };
  });
}
