import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { RunningServer } from '../../sidecar/server.ts';
import type { McpService } from '../../sidecar/mcp/service.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { suiteService } from '../support/mcp-suite-service.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

// The official suite, @modelcontextprotocol/conformance, over a socket.

const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const FIXTURES = join(ROOT, 'tests/fixtures/mcp');
const TIMEOUT_MS = 120_000;

const SESSIONS = '2025-11-25';
const STATELESS = '2026-07-28';

/** Scenarios that ask for nothing of the suite's own catalogue. */
const FOR_ANY_SERVER = {
  [SESSIONS]: [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  [STATELESS]: [
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'sep-2164-resource-not-found',
  ],
};

describe('the reviews', () => {
  const url = serve();
  for (const [version, scenarios] of Object.entries(FOR_ANY_SERVER)) {
    test(`pass what ${version} asks of any server`, async (context) => {
      const args = ['--suite', 'all', '--spec-version', version];
      const { output } = await suite(url(), args, await temporaryFolder(context));
      const passed = [...output.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)];
      const names = new Set(passed.map(([, name]) => name));
      assert.deepEqual(
        scenarios.filter((scenario) => !names.has(scenario)),
        [],
        output,
      );
    });
  }
});

describe("the suite's own catalogue, served by the same endpoint", () => {
  const url = serve(suiteService);
  for (const version of [SESSIONS, STATELESS]) {
    test(`passes ${version} but for what a server would send unasked`, async (context) => {
      const failures = join(FIXTURES, `expected-failures-${version}.yaml`);
      const args = ['--suite', 'all', '--spec-version', version, '--expected-failures', failures];
      const { code, output } = await suite(url(), args, await temporaryFolder(context));
      assert.equal(code, 0, output);
      const passing = output.match(/^✓ /gm) ?? [];
      assert.ok(passing.length > 15, output);
    });
  }
});

/** Serves the tests of this block. */
function serve(mcpService?: McpService): () => string {
  let server: RunningServer;
  before(async () => {
    server = await listenOnFreePort(await sampleApp(mcpService ? { mcpService } : {}));
  });
  after(() => server.close());
  return () => `${server.url}mcp`;
}

function suite(
  url: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const command = [SUITE, 'server', '--url', url, ...args];
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      command,
      { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => {
        if (child.exitCode === null) reject(new Error(`${args.join(' ')} did not end`));
        else resolve({ code: child.exitCode, output: stdout + stderr });
      },
    );
  });
}
