import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { openApiDocument } from '../../src/resources/openapi/document.ts';
import { searchFilters } from '../../src/schema/search.ts';
import { RESOURCES } from '../../src/resources/catalogue.ts';
import { Description, type DescribedAnswer, type OpenApi } from '../support/described.ts';
import type { RequestOptions } from '../support/http.ts';
import { initialize, MCP_HEADERS } from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, sections 4 and 9: the OpenAPI description, and that the service matches it.

type Method = 'get' | 'post';
type Document = Omit<ReturnType<typeof openApiDocument>, 'paths'> & OpenApi;
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  explode?: boolean;
  schema: Record<string, unknown>;
}

/** The documents that every edition has. */
const DOCUMENTS = RESOURCES.filter(({ answers }) => !(404 in answers)).map(({ path }) => path);

/** Requests for each GET, those of the contract such that they show what is special about it. */
const REQUESTS: Record<string, Record<number, string[]>> = {
  ...Object.fromEntries(DOCUMENTS.map((path) => [path, { 200: [path] }])),
  '/api/reviews/search': {
    200: [
      '/api/reviews/search',
      '/api/reviews/search?min_rating=4.5&query=the&nobody=1',
      '/api/reviews/search?detail=brief&facets=month,aspect&limit=2&sort=lowest',
      '/api/reviews/search?mentions_service=water-heatr&topic=zz',
    ],
    400: ['/api/reviews/search?rating=6', '/api/reviews/search?limit=0&since=2026-02-30'],
  },
  '/api/reviews/count': {
    200: [
      '/api/reviews/count',
      '/api/reviews/count?group_by=aspect,year&examples=2',
      '/api/reviews/count?aspect=nothing',
    ],
    400: ['/api/reviews/count?group_by=stars'],
  },
  '/api/reviews/since/{date}': {
    200: ['/api/reviews/since/1970-01-01', '/api/reviews/since/9999-12-31'],
    400: ['/api/reviews/since/yesterday'],
  },
};

/** Media types of pages and their files, which the document leaves out. */
const FOR_PAGES = /^(text\/(html|css|javascript)|image\/|font\/)/;

/** Paths that no file answers. */
const SIDECAR_PATHS = [
  '/api/reviews/search',
  '/api/reviews/count',
  '/mcp',
  '/api/websub/hub',
  '/edition.json',
  '/healthz',
  '/readyz',
  '/changes/{page}.json', // only a dataset with a journal has them
  '/edition-signature.json', // only a signed edition has it
  '/license.xml', // only data that everyone may use has it
  '/.well-known/reviews-edition-key.json',
];

/** A response to initialize starts a session, and a search may have a next page. */
const SOMETIMES = new Set(['Mcp-Session-Id', 'Link']);

const TEXT = { 'content-type': 'text/plain' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const INITIALIZE = JSON.stringify(initialize());
const PLAIN_CALLBACK = new URLSearchParams({
  'hub.mode': 'subscribe',
  'hub.topic': 'https://reviews.example/feed.xml',
  'hub.callback': 'http://subscriber.example/',
}).toString();

/** POSTs without outside effects, with their expected status. */
const POSTS: [path: string, status: number, headers: Record<string, string>, body: string][] = [
  ['/mcp', 200, MCP_HEADERS, INITIALIZE],
  ['/mcp', 400, MCP_HEADERS, '{'],
  ['/mcp', 415, { ...MCP_HEADERS, ...TEXT }, INITIALIZE],
  ['/mcp', 413, MCP_HEADERS, ' '.repeat(64 * 1024 + 1)],
  ['/api/websub/hub', 400, FORM, PLAIN_CALLBACK],
  ['/api/websub/hub', 413, FORM, 'x'.repeat(8 * 1024 + 1)],
  ['/api/websub/hub', 415, TEXT, ''],
];

forEachTarget((target) => {
  let document: Document;
  let description: Description;
  let check: (name: string, value: unknown) => void;

  before(async () => {
    document = await target.json<Document>('/openapi.json');
    check = schemaChecker(document);
    description = new Description(document);
  });

  const answerOf = (path: string, method: Method, status: number | string) =>
    description.answerOf(path, method, Number(status));

  test('is OpenAPI 3.1.0 of interface 1.0.0 at the origin of the edition, valid, and asks for no credentials', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, '1.0.0');
    assert.deepEqual(document.servers, [{ url: (await target.manifest()).base_url }]);
    assert.deepEqual(document.security, []);
    assert.ok(!('securitySchemes' in document.components));
  });

  test('every reference leads somewhere', () => {
    const components = document.components as Record<string, object>;
    const pattern = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;
    const references = [...JSON.stringify(document).matchAll(pattern)];
    const isLost = ([, kind, name]: string[]) => !Object.hasOwn(components[kind!]!, name!);
    assert.deepEqual(references.filter(isLost), []);
    assert.ok(references.length > 200, String(references.length));
  });

  test('describes the endpoints of the contract first', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method === 'get' || method === 'post')
        .map((method) => `${method} ${path}`),
    );
    assert.deepEqual(described.slice(0, 10), [
      'get /reviews.json',
      'get /insights.json',
      'get /provenance.json',
      'get /api/feed.json',
      'get /feed.xml',
      'get /api/reviews/search',
      'get /api/reviews/count',
      'get /api/reviews/since/{date}',
      'post /mcp',
      'post /api/websub/hub',
    ]);
  });

  test('describes every file of the edition that is not for pages, by its type', async () => {
    const { resources } = await target.manifest();
    const files = resources.filter(({ type }) => !FOR_PAGES.test(type));
    assert.ok(files.length > 100);
    for (const { path, type } of files) {
      const name = description.pathOf(path);
      assert.ok(name !== undefined, path);
      const types = Object.keys(answerOf(name, 'get', 200)?.content ?? {});
      assert.ok(types.includes(type.split(';')[0]!), `${type} of ${path}`);
    }
  });

  test('describes no path that leads nowhere', async () => {
    const { resources } = await target.manifest();
    const described = resources.map(({ path }) => description.pathOf(path));
    const found = new Set([...described, ...SIDECAR_PATHS]);
    const lost = Object.keys(document.paths).filter((path) => !found.has(path));
    assert.deepEqual(lost, []);
  });

  test('describes the parameters of a search with the limits of the contract', () => {
    const { parameters } = document.paths['/api/reviews/search'] as { parameters: Parameter[] };
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    assert.ok(parameters.every((parameter) => parameter.in === 'query' && !parameter.required));
    assert.deepEqual(schemas.rating, { type: 'integer', minimum: 1, maximum: 5 });
    assert.deepEqual(schemas.min_rating, { type: 'number', minimum: 1, maximum: 5 });
    assert.deepEqual(schemas.limit, { default: 20, type: 'integer', minimum: 1, maximum: 100 });
    assert.equal(schemas.since!.format, 'date');
    assert.equal(schemas.until!.format, 'date');
    for (const name of ['query', 'mentions_technician', 'mentions_service']) {
      assert.equal(schemas[name]!.type, 'string', name);
    }
    assert.equal(parameters.length, Object.keys(searchFilters.shape).length);
    const lists = parameters.filter(({ schema }) => schema.type === 'array');
    assert.ok(lists.length > 0 && lists.every(({ explode }) => explode === false));
  });

  test('has examples from the edition, which match their schemas', async () => {
    const { edition } = await target.dataset();
    const responses = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses = {} }) => Object.values(responses)),
    );
    let count = 0;
    for (const { content = {} } of responses) {
      for (const { schema, examples = {} } of Object.values(content)) {
        for (const { value } of Object.values(examples)) {
          check(schema.$ref!.split('/').at(-1)!, value);
          count++;
        }
      }
    }
    assert.ok(count > 10);
    const { examples = {} } = answerOf('/reviews.json', 'get', 200)!.content!['application/json']!;
    assert.equal((examples.example1!.value as { edition: string }).edition, edition);
  });

  for (const [path, byStatus] of Object.entries(REQUESTS)) {
    test(`${path} answers as described, also 304, HEAD and other methods`, async () => {
      const [first] = byStatus[200]! as [string];
      const etag = (await target.fetch(first)).headers.get('etag')!;
      const asked: [status: number, request: string, init?: RequestOptions][] = [
        ...Object.entries(byStatus).flatMap(([status, requests]) =>
          requests.map((request): [number, string] => [Number(status), request]),
        ),
        [304, first, { headers: { 'if-none-match': etag } }],
        [200, first, { method: 'HEAD' }],
        [405, first, { method: 'PUT' }],
      ];
      for (const [status, request, init = {}] of asked) {
        const answer = await target.fetch(request, init);
        const what = `${init.method ?? 'GET'} ${request}`;
        assert.equal(answer.status, status, what);
        await checkAnswer(answer, answerOf(path, 'get', status), what);
      }
    });
  }

  for (const [path, status, headers, body] of POSTS) {
    test(`POST ${path} answers ${status} as described`, target.onSocket, async () => {
      const asked = { method: 'POST', headers, body };
      const answer = await fetch(new URL(path, target.origin()), asked);
      assert.equal(answer.status, status);
      await checkAnswer(answer, answerOf(path, 'post', status), path);
    });
  }

  test('describes the answers that depend on settings, on load and on the store', () => {
    for (const [path, method, status] of [
      ['/mcp', 'post', 403],
      ['/mcp', 'post', 429],
      ['/api/websub/hub', 'post', 429],
      ['/api/websub/hub', 'post', 503],
      ['/api/reviews/search', 'get', 503],
      ['/api/reviews/count', 'get', 503],
    ] as const) {
      const { content, headers } = answerOf(path, method, status)!;
      assert.ok(content, `${path} ${status}`);
      if (status !== 403) assert.ok(headers?.['Retry-After'], `${path} ${status}`);
    }
  });

  async function checkAnswer(
    answer: Response,
    described: DescribedAnswer | undefined,
    request: string,
  ) {
    assert.ok(described, `${request} is not described`);
    for (const name of Object.keys(described.headers ?? {})) {
      if (SOMETIMES.has(name)) continue;
      assert.notEqual(answer.headers.get(name), null, `${name} of ${request}`);
    }
    const body = await answer.text();
    const type = answer.headers.get('content-type')?.split(';')[0];
    const content = described.content?.[type ?? ''];
    if (!content || request.startsWith('HEAD ')) return assert.equal(body, '', request);
    const name = content.schema.$ref?.split('/').at(-1);
    if (name) check(name, JSON.parse(body));
  }
});

/** Checks values against the named schemas of an OpenAPI document, independently of zod. */
function schemaChecker(document: object): (name: string, value: unknown) => void {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  return (name, value) => {
    const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`) as ValidateFunction;
    if (!validate(value)) throw new Error(`not a ${name}: ${ajv.errorsText(validate.errors)}`);
  };
}
