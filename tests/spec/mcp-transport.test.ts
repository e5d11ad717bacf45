import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { MCP_HEADERS, post, request, send } from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, sections 4.8 and 7: JSON responses, and a JSON-RPC error for every error.

const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' };
const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'tests', version: '1.0.0' },
};
const PONG = { jsonrpc: '2.0', id: 1, result: {} };
const MAX_BODY = 64 * 1024;

forEachTarget((target) => {
  test('a request is answered 200 with one JSON-RPC response of its id', async () => {
    for (const id of [1, 0, -7, 'a', '', 'ä"\\']) {
      const { status, body, headers } = await post(target, request('ping', {}, id));
      assert.deepEqual([status, body], [200, { jsonrpc: '2.0', id, result: {} }]);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  test('a message that needs no answer is 202 without a body', async () => {
    for (const message of [
      NOTIFICATION,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
    ]) {
      const { status, body } = await post(target, message);
      assert.deepEqual([status, body], [202, undefined]);
    }
  });

  test('a body that is not JSON is -32700', async () => {
    for (const body of ['', '{', 'ping', '{"jsonrpc":"2.0",}', '\u0000']) {
      const answer = await post(target, body);
      assert.deepEqual([answer.status, answer.body!.error!.code], [400, -32700], body);
      assert.equal(answer.body!.id, null);
    }
  });

  test('JSON that is no message, and a batch, are -32600', async () => {
    for (const message of [
      'null',
      {},
      [],
      [request('ping')],
      [request('ping'), NOTIFICATION],
      { id: 1, method: 'ping' },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 5 },
      { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] },
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: {} } } },
      { jsonrpc: '2.0', id: 1, method: 'ping', extra: true },
      { jsonrpc: '2.0', id: 1 },
    ]) {
      const { status, body } = await post(target, message);
      assert.deepEqual([status, body!.error!.code], [400, -32600], JSON.stringify(message));
    }
    const faulty = { jsonrpc: '2.0', id: 'mine', method: 'ping', extra: true };
    assert.equal((await post(target, faulty)).body!.id, 'mine');
    // JSON cannot carry this one.
    const long = '{"jsonrpc":"2.0","id":1152921504606846977,"method":"ping"}';
    const { body } = await post(target, long);
    assert.deepEqual([body!.id, body!.error!.code], [null, -32600]);
  });

  test('an unknown method is -32601, also one named like a member of every object', async () => {
    for (const method of ['tools/nothing', 'logging/setLevel', 'toString', '__proto__', '']) {
      const { status, body } = await post(target, request(method));
      assert.deepEqual([status, body!.error!.code], [200, -32601], method);
    }
  });

  test('params of another shape are -32602, without inner text', async () => {
    for (const [method, params] of [
      ['initialize', {}],
      ['tools/call', undefined],
      ['tools/call', { name: 5 }],
      ['tools/call', { name: 'get_faq', arguments: 'all' }],
      ['tools/call', { name: 'get_everything' }],
      ['tools/call', { name: 'toString' }],
      ['tools/list', { cursor: 'next' }],
      ['tools/list', { cursor: 5 }],
      ['resources/read', {}],
      ['prompts/get', { name: 'nothing' }],
    ] as const) {
      const { status, body } = await post(target, request(method, params));
      assert.deepEqual([status, body!.error!.code], [200, -32602], method);
      assert.ok(!/zod|invalid_type|\n/i.test(body!.error!.message), body!.error!.message);
    }
  });

  test('whatever a client takes, it is answered with JSON, unless it takes only events', async () => {
    for (const accept of [
      'application/json',
      '*/*',
      'application/*',
      'text/html',
      '',
      'text/event-stream, application/json;q=0.1',
    ]) {
      const { status, body } = await post(target, request('ping'), { accept });
      assert.deepEqual([status, body], [200, PONG], accept);
    }
    for (const accept of ['text/event-stream', 'Text/Event-Stream, application/json;q=0']) {
      const { status, body } = await post(target, request('ping'), { accept });
      assert.deepEqual([status, body], [200, PONG], accept);
      const notified = await post(target, NOTIFICATION, { accept });
      assert.deepEqual([notified.status, notified.body], [202, undefined], accept);
      const refused = await post(target, '{', { accept });
      assert.deepEqual([refused.status, refused.body!.error!.code], [400, -32700], accept);
    }
  });

  test('members that are null or an empty list are absent', async () => {
    for (const [method, params] of [
      ['ping', null],
      ['ping', []],
      ['ping', { _meta: null }],
      ['ping', { _meta: { progressToken: null } }],
      ['tools/list', null],
      ['tools/list', { cursor: null }],
      ['tools/list', { cursor: '' }],
      ['tools/call', { name: 'get_business', arguments: null }],
      ['tools/call', { name: 'get_business', arguments: [] }],
      ['initialize', { ...HELLO, capabilities: null }],
      ['initialize', { ...HELLO, capabilities: { roots: null, sampling: null } }],
    ] as const) {
      const { status, body } = await post(target, { jsonrpc: '2.0', id: 1, method, params });
      assert.ok(status === 200 && body!.result, JSON.stringify([method, params, body]));
    }
  });

  test('a compressed body is read, within the same size', async () => {
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['X-GZIP', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const send = (message: object) =>
        target.fetch('/mcp', {
          method: 'POST',
          headers: { ...MCP_HEADERS, 'content-encoding': encoding },
          body: compress(JSON.stringify(message)),
        });
      const response = await send(request('ping'));
      assert.deepEqual([response.status, await response.json()], [200, PONG], encoding);
      const { status } = await send(request('ping', { pad: 'x'.repeat(MAX_BODY) }));
      assert.equal(status, 413, encoding);
    }
    for (const [encoding, expected] of [
      ['gzip', 400],
      ['compress', 415],
    ] as const) {
      const headers = { 'content-encoding': encoding };
      const { status } = await post(target, request('ping'), headers);
      assert.equal(status, expected, encoding);
    }
  });

  test('a body of another media type is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const { status, body } = await post(target, request('ping'), { 'content-type': type });
      assert.deepEqual([status, body!.error!.code], [415, -32000], type);
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      const { status } = await post(target, request('ping'), { 'content-type': type });
      assert.equal(status, 200, type);
    }
  });

  test('the largest body is served, one byte more is 413', async () => {
    const empty = JSON.stringify(request('ping', { pad: '' }));
    const padded = (size: number) =>
      JSON.stringify(request('ping', { pad: 'x'.repeat(size - empty.length) }));
    assert.equal((await post(target, padded(MAX_BODY))).status, 200);
    const { status, body } = await post(target, padded(MAX_BODY + 1));
    assert.deepEqual([status, body!.error!.code], [413, -32000]);
  });

  test('GET and every other method are 405 and name those that work', async () => {
    for (const method of ['GET', 'PUT', 'PATCH']) {
      const asked = { method, headers: { accept: 'text/event-stream' } };
      const { status, headers, body } = await send(target, asked);
      assert.deepEqual([status, body!.error!.code], [405, -32000], method);
      assert.equal(headers.get('allow'), 'POST, DELETE, OPTIONS');
    }
    const head = await target.fetch('/mcp', { method: 'HEAD' });
    assert.equal(head.status, 405);
  });

  test('a browser gets a page that says how to connect, and its status is 405', async () => {
    const response = await target.fetch('/mcp', {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    const html = await response.text();
    assert.equal(response.status, 405);
    assert.match(response.headers.get('content-type')!, /^text\/html/);
    assert.equal(response.headers.get('allow'), 'POST, DELETE, OPTIONS');
    assert.ok(html.includes(`${(await target.manifest()).base_url}/mcp`));
    const [, guide] = /href="([^"]*developers[^"]*)"/.exec(html)!;
    assert.match(await (await target.fetch(guide!)).text(), /<h1[^>]*>[^<]*MCP/);
  });

  test('any page may ask, and read what it needs of the answer', async () => {
    const origin = 'https://assistant.example';
    const { headers } = await post(target, request('ping'), { origin });
    assert.ok(['*', origin].includes(headers.get('access-control-allow-origin')!));
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase();
    assert.ok(exposed.includes('mcp-session-id') && exposed.includes('mcp-protocol-version'));
  });

  test('a preflight allows the methods and every header that a page sends', async () => {
    const { status, headers } = await send(target, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://assistant.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, mcp-session-id, traceparent',
      },
    });
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-methods'), 'POST, DELETE, OPTIONS');
    const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
    const sent =
      'content-type accept authorization last-event-id mcp-session-id mcp-protocol-version ' +
      'mcp-method mcp-name traceparent';
    for (const name of sent.split(' ')) assert.ok(allowed.includes(name), name);
  });
});
