import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { openApiDocument } from '../../src/formats/openapi/document.ts';
import { SEARCH_PARAMETERS } from '../../src/search/parameters.ts';
import { schemaChecker } from '../support/json-schema.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, sections 4 and 9: the OpenAPI description, and that the service matches it.

type Method = 'get' | 'post';
type Document = Omit<ReturnType<typeof openApiDocument>, 'paths'> & {
  paths: Record<string, Record<Method, Described>>;
};
interface Described {
  parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, DescribedAnswer>;
}
interface DescribedAnswer {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: { $ref?: string } }>;
}

/** A request for each GET and status except 304 and 429, which have tests of their own. */
const REQUESTS: Record<string, Record<number, string[]>> = {
  '/reviews.json': { 200: ['/reviews.json'] },
  '/insights.json': { 200: ['/insights.json'] },
  '/provenance.json': { 200: ['/provenance.json'] },
  '/api/feed.json': { 200: ['/api/feed.json'] },
  '/feed.xml': { 200: ['/feed.xml'] },
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

const RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
});
const PLAIN_CALLBACK = new URLSearchParams({
  'hub.mode': 'subscribe',
  'hub.topic': 'https://reviews.example/feed.xml',
  'hub.callback': 'http://subscriber.example/',
}).toString();

/** POSTs without outside effects, with their expected status. */
const POSTS: { path: string; status: number; headers: Record<string, string>; body: string }[] = [
  { path: '/mcp', status: 200, headers: RPC, body: INITIALIZE },
  { path: '/mcp', status: 400, headers: RPC, body: '{' },
  { path: '/mcp', status: 406, headers: { ...RPC, accept: 'text/html' }, body: INITIALIZE },
  {
    path: '/mcp',
    status: 415,
    headers: { ...RPC, 'content-type': 'text/plain' },
    body: INITIALIZE,
  },
  { path: '/mcp', status: 413, headers: RPC, body: ' '.repeat(16 * 1024 + 1) },
  { path: '/api/websub/hub', status: 400, headers: FORM, body: PLAIN_CALLBACK },
  { path: '/api/websub/hub', status: 413, headers: FORM, body: 'x'.repeat(8 * 1024 + 1) },
  { path: '/api/websub/hub', status: 415, headers: { 'content-type': 'text/plain' }, body: '' },
];

forEachTarget((target) => {
  let document: Document;
  let check: (name: string, value: unknown) => void;

  before(async () => {
    document = await target.json<Document>('/openapi.json');
    check = schemaChecker(document);
  });

  const operation = (path: string, method: Method) => document.paths[path]![method];

  test('is OpenAPI 3.1.0 of interface 1.0.0, valid, and asks for no credentials', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, '1.0.0');
    assert.deepEqual(document.security, []);
    assert.ok(!('securitySchemes' in document.components));
  });

  test('names the origin of the edition as its server', async () => {
    const { base_url: baseUrl } = await target.manifest();
    assert.deepEqual(document.servers, [{ url: baseUrl }]);
  });

  test('describes exactly the endpoints of the contract', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    assert.deepEqual(described, [
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

  test('describes the parameters of a search with the limits of the contract', () => {
    const { parameters = [] } = operation('/api/reviews/search', 'get');
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
    assert.equal(parameters.length, SEARCH_PARAMETERS.length);
  });

  for (const [path, byStatus] of Object.entries(REQUESTS)) {
    for (const [status, requests] of Object.entries(byStatus)) {
      test(`${path} answers ${status} as described`, async () => {
        const described = operation(path, 'get').responses[status]!;
        for (const request of requests) {
          const answer = await target.fetch(request);
          assert.equal(answer.status, Number(status), request);
          await checkAnswer(answer, described, request);
        }
      });
    }

    test(`${path} answers 304 as described`, async () => {
      const { 200: whole, 304: unchanged } = operation(path, 'get').responses;
      assert.ok(whole && unchanged);
      const request = byStatus[200]![0]!;
      const etag = (await target.fetch(request)).headers.get('etag')!;
      const answer = await target.fetch(request, { headers: { 'if-none-match': etag } });
      assert.equal(answer.status, 304);
      await checkAnswer(answer, unchanged, request);
    });

    test(`${path} has a request here for every status it describes`, () => {
      const statuses = Object.keys(operation(path, 'get').responses);
      const tested = [...Object.keys(byStatus), '304'];
      assert.deepEqual(
        statuses.filter((status) => status !== '429'),
        tested.sort(),
      );
    });
  }

  for (const { path, status, ...request } of POSTS) {
    test(`POST ${path} answers ${status} as described`, target.onSocket, async () => {
      const answer = await fetch(new URL(path, target.origin()), { method: 'POST', ...request });
      assert.equal(answer.status, status);
      await checkAnswer(answer, operation(path, 'post').responses[status]!, path);
    });
  }

  test('describes the answers that depend on settings, on load and on the store', () => {
    for (const [path, status] of [
      ['/mcp', 403],
      ['/mcp', 429],
      ['/api/websub/hub', 429],
      ['/api/websub/hub', 503],
    ] as const) {
      const { content, headers } = operation(path, 'post').responses[status]!;
      assert.ok(content, `${path} ${status}`);
      if (status !== 403) assert.ok(headers?.['Retry-After'], `${path} ${status}`);
    }
  });

  async function checkAnswer(answer: Response, described: DescribedAnswer, request: string) {
    for (const name of Object.keys(described.headers ?? {})) {
      assert.notEqual(answer.headers.get(name), null, `${name} of ${request}`);
    }
    const [content] = Object.entries(described.content ?? {});
    const body = await answer.text();
    if (!content) return assert.equal(body, '', request);
    const [type, { schema }] = content;
    assert.equal(answer.headers.get('content-type')?.split(';')[0], type, request);
    if (schema.$ref) check(schema.$ref.split('/').at(-1)!, JSON.parse(body));
  }
});
