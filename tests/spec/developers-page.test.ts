import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { abridge, excerpt } from '../../src/resources/examples.ts';
import { ERRORS } from '../../src/schema/error.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { elements, textOf } from '../support/html.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// The pages for developers: runs every command they show and compares every response it shows.

const run = promisify(execFile);

interface Shown {
  command: string;
  answer: string | undefined;
}

forEachTarget((target) => {
  let html: string;
  let shown: Shown[];
  let baseUrl: string;

  before(async () => {
    html = (await developersPages(target)).join('\n');
    shown = commands(html);
    baseUrl = (await target.manifest()).base_url;
  });

  test('has a command for every endpoint of the contract', () => {
    const paths = ['reviews.json', 'insights.json', 'api/feed.json', 'feed.xml', 'mcp'];
    const all = shown.map(({ command }) => command).join('\n');
    for (const path of [...paths, 'api/reviews/search', 'api/reviews/since/', 'api/websub/hub']) {
      assert.ok(all.includes(`${baseUrl}/${path}`), path);
    }
  });

  test('every command runs and prints the answer shown', target.onSocket, async (context) => {
    const cwd = await temporaryFolder(context);
    for (const { command, answer } of shown) {
      const here = command.replaceAll(`'${baseUrl}`, `'${new URL(target.origin()).origin}`);
      const { stdout } = await run('bash', ['-c', `set -e; ${here}`], { cwd, timeout: 120_000 });
      assert.notEqual(stdout, '', command);
      if (answer !== undefined) assert.deepEqual(asShown(stdout, answer), parsed(answer), command);
    }
  });

  test('lists every value of error', () => {
    const table = elements(html, 'table').find(({ inner }) => inner.includes('Values of error'));
    const named = elements(table!.inner, 'code').map(({ inner }) => textOf(inner));
    assert.deepEqual(named, Object.keys(ERRORS));
  });

  test('a command is never followed by a token, nor does it send one', () => {
    assert.ok(shown.length >= 12);
    for (const { command } of shown) assert.doesNotMatch(command, /authorization|token|api.?key/i);
  });

  test('says that requests need no key, and what Mcp-Session-Id is not', () => {
    const text = textOf(html).replace(/\s+/g, ' ');
    assert.match(text, /Send no Authorization header/);
    assert.match(text, /Leave the token fields of MCP clients blank/);
    assert.match(text, /Mcp-Session-Id names a session and is not a credential/);
  });

  test('tells each MCP client of the endpoint, in a form that parses', () => {
    const text = textOf(html);
    const clients = 'Claude Desktop,Claude Code,Cursor,VS Code,ChatGPT,Gemini CLI,Windsurf';
    for (const name of clients.split(',')) assert.ok(text.includes(name), name);
    const files = elements(html, 'pre')
      .map(({ inner }) => textOf(inner))
      .filter((code) => code.startsWith('{') && /"(mcpServers|servers)"/.test(code));
    assert.equal(files.length, 5);
    for (const file of files)
      assert.ok(JSON.stringify(JSON.parse(file)).includes(`${baseUrl}/mcp`));
  });

  test('Cursor and VS Code install the server by a link, named after the business', () => {
    const links = elements(html, 'a').map(({ attributes }) => new URL(attributes.href!, baseUrl));
    const cursor = links.find(({ protocol }) => protocol === 'cursor:')!;
    const config = Buffer.from(cursor.searchParams.get('config')!, 'base64').toString();
    assert.deepEqual(JSON.parse(config), { url: `${baseUrl}/mcp` });
    const vscode = links.find(({ protocol }) => protocol === 'vscode:')!;
    assert.deepEqual(JSON.parse(decodeURIComponent(vscode.search.slice(1))), {
      name: cursor.searchParams.get('name'),
      type: 'http',
      url: `${baseUrl}/mcp`,
    });
    assert.match(cursor.searchParams.get('name')!, /^[a-z0-9-]+-reviews$/);
  });

  test('shows every field of the OpenAPI schemas', async () => {
    const { components } = await target.json<{
      components: { schemas: Record<string, { properties?: object }> };
    }>('/openapi.json');
    for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
      const [, after] = html.split(` id="schema-${name}"`);
      assert.ok(after, name);
      const section = after.split('</details>', 1)[0]!.replaceAll('<wbr>', '');
      for (const field of Object.keys(properties)) {
        assert.ok(section.includes(`<code>${field}</code>`), `${name}.${field}`);
      }
    }
  });
});

/** Returns the pages for developers, found as a reader finds them: in the contents. */
async function developersPages(target: Target): Promise<string[]> {
  const read = async (path: string) => (await target.fetch(path)).text();
  const first = await read('/developers/');
  const paths = [...first.matchAll(/href="(\/developers\/[a-z-]+\/)"/g)].map(([, path]) => path!);
  return [first, ...(await Promise.all(paths.map(read)))];
}

/** Returns every command on a page with the response shown below it. */
function commands(html: string): Shown[] {
  const figures = elements(html, 'figure').map(({ attributes, inner }) => ({
    kind: attributes.class!.split(' ')[1],
    code: textOf(elements(inner, 'pre')[0]!.inner),
  }));
  return figures.flatMap(({ kind, code }, at) => {
    if (kind !== 'command') return [];
    const next = figures[at + 1];
    return [{ command: code, answer: next?.kind === 'answer' ? next.code : undefined }];
  });
}

/** Abridges printed output as the page does. */
function asShown(printed: string, answer: string): unknown {
  if (answer.startsWith('{')) return abridge(JSON.parse(printed));
  return excerpt(printed, answer.split('\n').length - (answer.endsWith('…') ? 1 : 0));
}

function parsed(answer: string): unknown {
  return answer.startsWith('{') ? JSON.parse(answer) : answer;
}
