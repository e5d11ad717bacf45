import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { serveSample } from '../support/targets.ts';

// The official suite, @modelcontextprotocol/conformance, over a socket.

const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
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

for (const [version, scenarios] of Object.entries(FOR_ANY_SERVER)) {
  test(`the reviews pass what ${version} asks of any server`, async (context) => {
    const url = `${await serveSample(context)}mcp`;
    const args = ['--suite', 'all', '--spec-version', version];
    const output = await suite(url, args, await temporaryFolder(context));
    const passed = [...output.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)];
    const names = new Set(passed.map(([, name]) => name));
    assert.deepEqual(
      scenarios.filter((scenario) => !names.has(scenario)),
      [],
      output,
    );
  });
}

/** Runs the suite. @returns its output; it exits with 1 because not every scenario is for any server */
function suite(url: string, args: readonly string[], cwd: string): Promise<string> {
  const command = [SUITE, 'server', '--url', url, ...args];
  const options = { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}
