import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mcpServer } from '../../src/formats/mcp-server.ts';

// Rules of the registry's server.schema.json (2025-12-11) for a remote server.

test('names the server by its host read backwards, and where it is asked', () => {
  assert.deepEqual(mcpServer('Fenwick Drains', 'https://reviews.fenwick.example'), {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'example.fenwick.reviews/reviews',
    title: 'Reviews of Fenwick Drains',
    description: 'Verified customer reviews of Fenwick Drains, searchable, with insights.',
    version: '1.0.0',
    websiteUrl: 'https://reviews.fenwick.example/',
    remotes: [{ type: 'streamable-http', url: 'https://reviews.fenwick.example/mcp' }],
  });
});

test('keeps the bounds of the registry for any business and any host', () => {
  for (const baseUrl of ['http://localhost:4321', 'http://[::1]:4321', 'https://a.example:8443']) {
    for (const business of ['A', 'The Long Name Company '.repeat(20), 'Ä & "Ö" GmbH']) {
      const { name, title, description } = mcpServer(business, baseUrl) as Record<string, string>;
      assert.match(name!, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      for (const text of [title!, description!]) assert.ok(text.length <= 100, text);
    }
  }
});
