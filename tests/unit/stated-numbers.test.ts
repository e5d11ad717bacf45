import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documents, sources } from '../support/documents.ts';

/** Sentences of documents by the file of the program that has their numbers, each by its name there. */
const STATED: Record<string, [document: string, sentence: string][]> = {
  'src/content/read-logo.ts': [['content/README.md', 'at most {MOST_BYTES / 1024} KiB (optional)']],
  'src/content/read-cover.ts': [
    ['content/README.md', 'at most {MOST_BYTES / 1024 / 1024} MiB (optional)'],
  ],
  'src/schema/primitives.ts': [
    ['content/README.md', '{TEXT_MAX_LENGTH} characters, a link {LINK_MAX_LENGTH}.'],
  ],
  'src/build/bundle.ts': [
    [
      'src/README.md',
      'Chrome {chrome}, Firefox {firefox}, Safari {safari} (`src/build/bundle.ts`)',
    ],
    ['CHANGELOG.md', 'Chrome {chrome}, Firefox {firefox}, Safari {safari}.'],
  ],
  'src/paths.ts': [['sidecar/README.md', 'one month of reviews, {MONTH_PAGE_LENGTH} to a page']],
  'src/search/text-limits.ts': [
    ['sidecar/mcp/README.md', 'is cut after {each} characters'],
    ['sidecar/mcp/README.md', 'together have at most {together} characters'],
  ],
  'sidecar/mcp/tools/reviews.ts': [['sidecar/mcp/README.md', 'more than {MOST_GROUPS} groups']],
  'sidecar/start.ts': [
    ['sidecar/README.md', 'per minute and client: {SEARCHES} searches'],
    ['sidecar/README.md', '{DOWNLOAD_BYTES / 1000 / 1000} MB of files and listings'],
  ],
  'sidecar/app.ts': [
    ['sidecar/README.md', 'searches and computed reviews of {SEARCH_MS} ms each'],
    ['SECURITY.md', 'a client has {SEARCH_MS} ms a minute for each search'],
  ],
  'sidecar/services.ts': [
    ['sidecar/README.md', '{MCP_REQUESTS} MCP requests per session'],
    ['sidecar/README.md', '{HUB_REQUESTS} requests to the hub'],
  ],
  'sidecar/http/connections.ts': [
    ['SECURITY.md', 'idle connections ({each} per client, {together} together)'],
  ],
  'src/schema/hub-request.ts': [
    ['sidecar/hub/README.md', '`hub.lease_seconds` is {least} to {most}, default {default}'],
  ],
  'sidecar/hub/outbound/outbound.ts': [
    [
      'sidecar/hub/README.md',
      'within {PATIENCE_MS / 1000} s, and a second more for each {BODY_BYTES_A_SECOND / 1024} KiB',
    ],
  ],
  'sidecar/hub/store/room.ts': [
    ['sidecar/hub/README.md', 'at most {perHost} subscriptions'],
    ['sidecar/hub/README.md', 'get at most {perDomain}.'],
    [
      'sidecar/hub/README.md',
      'at most {waitingPerClient} of one client network, and {waiting} in all',
    ],
  ],
  'sidecar/hub/schedule.ts': [
    ['sidecar/hub/README.md', 'exchanges of their own ({prompt}, {unknown} and {slow})'],
    ['sidecar/hub/README.md', 'New hosts of one domain share {PER_GROUP} exchanges'],
  ],
  'sidecar/hub/hosts.ts': [
    ['sidecar/hub/README.md', 'took their last delivery within {SLOW_MS / 1000} s'],
  ],
  'sidecar/hub/store/tables.ts': [['sidecar/hub/README.md', 'is divided into {PARTS} parts']],
};

/** Returns the first number that has a name in a file, divided. */
function numberIn(file: string, stated: string): number {
  const [name, ...divisors] = stated.split(' / ');
  const { text } = sources.find(({ path }) => path === file)!;
  const value = new RegExp(`\\b${name}(?:: [^=,]+)?(?: =|:) '?([\\d_. *]+)`).exec(text)?.[1];
  assert.ok(value, `${file} has no number ${name}`);
  const numbers = value.replaceAll('_', '').split('*').map(Number);
  const product = numbers.reduce((a, b) => a * b);
  return divisors.map(Number).reduce((a, b) => a / b, product);
}

test('each number that a document states is the one of the program', () => {
  let found = 0;
  for (const [file, sentences] of Object.entries(STATED)) {
    for (const [path, sentence] of sentences) {
      const said = sentence.replaceAll(/\{([^}]+)\}/g, (_, stated: string) => {
        found++;
        return numberIn(file, stated).toLocaleString('en');
      });
      const { text } = documents.find((one) => one.path === path)!;
      const words = text.replaceAll(/\s+/g, ' ');
      const plain = said.replaceAll(/(\d),(?=\d{3}\b)/g, '$1');
      assert.ok(words.includes(said) || words.includes(plain), `${path}: ${said}`);
    }
  }
  assert.ok(found > 30);
});
