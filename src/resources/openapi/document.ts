import { DEVELOPERS_PATH, OPENAPI_PATH } from '../../paths.ts';
import type { DataLicense } from '../../schema/license.ts';
import { INTERFACE_VERSION } from '../../schema/dataset.ts';
import { componentSchemas } from './components.ts';
import { HEADERS, PARAMETERS } from './headers.ts';
import { TAGS, type Operation, type ResponseSpec } from '../operation.ts';
import { documentResource, json } from '../resource.ts';
import type { Source } from '../source.ts';
import { pathItem, toResponse } from './path-item.ts';

export const OPENAPI = documentResource({
  id: 'getOpenApi',
  path: OPENAPI_PATH,
  tag: 'Service',
  title: 'The OpenAPI description',
  description: 'OpenAPI 3.1.0 of every path of the service.',
  build: (source, operations) => json(openApiDocument(source, operations)),
});

/** Returns the OpenAPI 3.1.0 description of the service; schemas come from `src/schema`. */
export function openApiDocument(source: Source, operations: readonly Operation[]) {
  const { baseUrl, dataset, sidecar } = source;
  const { business, license } = dataset;
  const { name, url, email } = business;
  const schemas = componentSchemas(operations);
  const { SearchFilters: _, CountFilters: __, ...bodies } = schemas; // they are parameters here
  return {
    openapi: '3.1.0',
    info: {
      title: `Reviews of ${name}`,
      version: INTERFACE_VERSION,
      summary: sidecar
        ? 'Customer reviews, insights, search, MCP tools and WebSub.'
        : 'Customer reviews and insights.',
      description: describeService(license, sidecar),
      contact: { name, url: url ?? `${baseUrl}/`, ...(email !== null && { email }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [],
    externalDocs: { url: baseUrl + DEVELOPERS_PATH, description: 'Guide with real responses.' },
    tags: Object.entries(TAGS)
      .filter(([tag]) => operations.some((operation) => operation.tag === tag))
      .map(([tag, description]) => ({ name: tag, description })),
    paths: Object.fromEntries(
      [...Map.groupBy(operations, ({ path }) => path)].map(([path, ofPath]) => [
        path,
        pathItem(ofPath, schemas, source),
      ]),
    ),
    components: {
      schemas: bodies,
      responses: sharedResponses(operations.flatMap(({ answers }) => Object.values(answers))),
      headers: named(HEADERS, sidecar),
      parameters: named(PARAMETERS, sidecar),
    },
  };
}

function describeService({ terms, url }: DataLicense, sidecar: boolean): string {
  return `Public and read-only: no key, account or token. An Authorization header is ignored; do not send one.${sidecar ? ' Mcp-Session-Id names a session and is not a credential.' : ''}

Bodies are compressed with br or gzip if Accept-Encoding allows it. Send an ETag back in If-None-Match: an unchanged response is an empty 304. HEAD has the headers of GET, and OPTIONS answers a preflight with 204. Any other method that a path does not have is a 405, an address that leads nowhere a 404, a malformed request a 400. Every response has X-Request-Id.

The pages for people are not described here; edition.json lists every file.

The license below is that of the program. The data: ${terms}${url === null ? '' : ` <${url}>`}`;
}

/** Leaves out session headers where there are no sessions. */
function named(headers: Readonly<Record<string, object>>, sidecar: boolean) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => sidecar || !name.startsWith('Mcp-')),
  );
}

function sharedResponses(answers: readonly ResponseSpec[]) {
  return Object.fromEntries(
    answers.flatMap(({ component, ...answer }) =>
      component === undefined ? [] : [[component, toResponse(answer)]],
    ),
  );
}
