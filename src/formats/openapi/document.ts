import { DEVELOPERS_PATH } from '../../paths.ts';
import type { Business } from '../../schema/business.ts';
import type { DataLicense } from '../../schema/license.ts';
import { INTERFACE_VERSION } from '../../schema/dataset.ts';
import { BAD_REQUEST, PREFLIGHT } from './answers.ts';
import { componentSchemas } from './components.ts';
import { HEADERS, PARAMETERS } from './headers.ts';
import { TAGS, type ResponseSpec } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { pathItem, toResponse, type Examples } from './path-item.ts';

interface OpenApiOptions {
  baseUrl: string;
  business: Pick<Business, 'name' | 'url' | 'email'>;
  /** License of the data. */
  license: DataLicense;
  /** By operation. */
  examples?: Examples;
}

/** Returns the OpenAPI 3.1.0 description of the service; schemas come from `src/schema`. */
export function openApiDocument({ baseUrl, business, license, examples = {} }: OpenApiOptions) {
  const { name, url, email } = business;
  const schemas = componentSchemas();
  const { SearchFilters: _, CountFilters: __, ...bodies } = schemas; // they are parameters here
  return {
    openapi: '3.1.0',
    info: {
      title: `Reviews of ${name}`,
      version: INTERFACE_VERSION,
      summary: 'Verified customer reviews, insights, search, MCP tools and WebSub.',
      description: describeService(license),
      contact: { name, url: url ?? `${baseUrl}/`, ...(email !== null && { email }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [],
    externalDocs: { url: baseUrl + DEVELOPERS_PATH, description: 'Guide with real responses.' },
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    paths: Object.fromEntries(
      [...Map.groupBy(OPERATIONS, ({ path }) => path)].map(([path, ofPath]) => [
        path,
        pathItem(ofPath, schemas, examples),
      ]),
    ),
    components: {
      schemas: bodies,
      responses: sharedResponses([
        PREFLIGHT,
        BAD_REQUEST,
        ...OPERATIONS.flatMap(({ answers }) => Object.values(answers)),
      ]),
      headers: HEADERS,
      parameters: PARAMETERS,
    },
  };
}

function describeService({ terms, url }: DataLicense): string {
  return `Public and read-only: no key, account or token. An Authorization header is ignored; do not send one. Mcp-Session-Id names a session and is not a credential.

Bodies are compressed with br or gzip if Accept-Encoding allows it. Send an ETag back in If-None-Match: an unchanged response is an empty 304. A method that a path does not have is a 405, an address that leads nowhere a 404, a malformed request a 400. Every response has X-Request-Id.

The pages for people are not described here; edition.json lists every file.

The license below is that of the program. The data: ${terms}${url === null ? '' : ` <${url}>`}`;
}

function sharedResponses(answers: readonly ResponseSpec[]) {
  return Object.fromEntries(
    answers.flatMap(({ component, ...answer }) =>
      component === undefined ? [] : [[component, toResponse(answer)]],
    ),
  );
}
