import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post, request, type Answer } from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';

// Revision 2026-07-28 on the same endpoint, without sessions; the official suite
// (integration/mcp-conformance) asks for headers and for how long results may be kept in depth.

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

forEachTarget((target) => {
  /** Sends a request like a client of this revision, except for the given parts. */
  const call = (
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const named = params.name ?? params.uri;
    return post(target, request(method, { _meta: META, ...params }), {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
      ...headers,
    });
  };

  const assertFault = ({ status, body }: Answer, expected: number, code: number): void =>
    assert.deepEqual([status, body!.id, body!.error!.code], [expected, 1, code]);

  test('server/discover names versions, capabilities and use, without a session', async () => {
    const { status, headers, body } = await call('server/discover');
    assert.equal(status, 200);
    assert.equal(headers.get('mcp-session-id'), null);
    const { supportedVersions, capabilities, instructions, resultType, _meta } = body!.result;
    assert.deepEqual(supportedVersions, [VERSION, '2025-11-25', '2025-06-18']);
    assert.equal(Object.keys(capabilities).length, 4);
    assert.deepEqual(capabilities.resources, {});
    assert.ok(instructions.length > 0 && _meta[SERVER_INFO].name);
    assert.equal(resultType, 'complete');
  });

  test('results say that they are complete and, where they may be kept, how long', async () => {
    const { result } = (await call('tools/call', { name: 'what_changed', arguments: {} })).body!;
    assert.equal(result.resultType, 'complete');
    assert.ok(result._meta[SERVER_INFO].version);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    assert.ok(!('ttlMs' in result));
    const listed = (await call('tools/list')).body!.result;
    assert.ok(listed.ttlMs > 0);
    assert.equal(listed.cacheScope, 'public');
  });

  test('the answers equal those of the older revisions', async () => {
    const params = { name: 'search_reviews', arguments: { query: 'boiler', limit: 3 } };
    const older = (await post(target, request('tools/call', params))).body!.result;
    const { content, structuredContent } = (await call('tools/call', params)).body!.result;
    assert.deepEqual({ content, structuredContent }, older);
  });

  test('_meta without version or capabilities is -32602', async () => {
    const [version, capabilities] = Object.keys(META) as (keyof typeof META)[];
    for (const _meta of [
      undefined,
      {},
      { [version!]: VERSION },
      { [capabilities!]: {} },
      { ...META, [capabilities!]: 'all' },
    ]) {
      assertFault(await call('server/discover', { _meta }), 400, -32602);
    }
  });

  test('headers that contradict the message are -32020', async () => {
    for (const [method, params, headers] of [
      ['tools/list', {}, { 'mcp-method': 'prompts/list' }],
      ['tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
      ['tools/call', { name: 'get_summary', arguments: {} }, { 'mcp-name': 'get_faq' }],
      ['resources/read', { uri: 'reviews://business' }, { 'mcp-name': 'reviews://insights' }],
      ['prompts/get', { name: 'one' }, { 'mcp-name': 'another' }],
    ] as const) {
      assertFault(await call(method, params, headers), 400, -32020);
    }
  });

  test('a header value in Base64 counts as what it says', async () => {
    const name = 'get_summary';
    const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
    const answer = await call('tools/call', { name, arguments: {} }, { 'mcp-name': encoded });
    assert.equal(answer.status, 200);
  });

  test('an unknown version, or one with sessions, is -32022 and names the known one', async () => {
    for (const version of ['2099-01-01', '2025-11-25']) {
      const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
      const answer = await call('tools/list', { _meta }, { 'mcp-protocol-version': version });
      assertFault(answer, 400, -32022);
      assert.deepEqual(answer.body!.error!.data, { supported: [VERSION], requested: version });
    }
  });

  test('methods of other revisions are 404 with -32601', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'subscriptions/listen']) {
      assertFault(await call(method), 404, -32601);
    }
  });

  test('an unknown resource is -32602 here', async () => {
    const uri = 'reviews://nothing';
    assertFault(await call('resources/read', { uri }), 200, -32602);
  });
});
