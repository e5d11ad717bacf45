import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { documents } from '../support/documents.ts';
import { run } from '../support/run.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

/** The status of the response to each request with curl that a document shows, in order. */
const STATUS: Record<string, number[]> = {
  'README.md': [200],
  'sidecar/README.md': [200, 400, 200],
  'sidecar/hub/README.md': [202],
  'sidecar/mcp/README.md': [200],
};

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

test('the requests that documents show get a response', { skip }, async (context) => {
  const server = await listenOnFreePort(await sampleApp());
  context.after(() => server.close());
  const { port } = new URL(server.url);
  const statuses: Record<string, number[]> = {};
  for (const { path, text } of documents) {
    const commands = text.replaceAll('\\\n', ' ').match(/^curl .*$/gm) ?? [];
    for (const command of commands) {
      // The documents name the address that `npm start` serves; the test has a port of its own.
      const options = `-s -o /dev/null -w '%{http_code}' --connect-to localhost:4321:127.0.0.1:${port}`;
      const { stdout } = await run('sh', ['-c', command.replace('curl', `curl ${options}`)]);
      (statuses[path] ??= []).push(Number(stdout));
    }
  }
  assert.deepEqual(statuses, STATUS);
});
