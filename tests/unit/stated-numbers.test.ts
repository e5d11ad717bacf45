import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOSTILE_REVIEWS } from '../attack/hostile-edition.ts';
import { QUESTIONS } from '../exam/questions.ts';
import { documents, sources } from '../support/documents.ts';
import { ROOT } from '../support/fixtures.ts';

/** Sentences of documents, and the file of the program that has their numbers under these names. */
const STATED: Record<string, [program: string, sentence: string][]> = {
  'content/README.md': [
    ['src/content/read-logo.ts', 'at most {MAX_BYTES / 1024} KiB (optional)'],
    ['src/content/read-cover.ts', 'at most {MAX_BYTES / 1024 / 1024} MiB (optional)'],
    ['src/schema/primitives.ts', '{TEXT_MAX_LENGTH} characters, a link {LINK_MAX_LENGTH}.'],
    ['src/schema/theme.ts', 'of at least {TEXT_CONTRAST} with'],
  ],
  'src/README.md': [
    [
      'src/build/bundle.ts',
      'Chrome {chrome}, Firefox {firefox}, Safari {safari} (`src/build/bundle.ts`)',
    ],
  ],
  'CHANGELOG.md': [
    ['src/build/bundle.ts', 'Chrome {chrome}, Firefox {firefox}, Safari {safari}.'],
    ['src/build/search-program.ts', 'the newest {CARRIED} reviews'],
    ['src/schema/review.ts', 'has at most {MAX_ATTRIBUTES} different attributes'],
  ],
  'sidecar/mcp/README.md': [
    ['src/search/machine-readers.ts', 'is cut after {each} characters'],
    ['src/search/machine-readers.ts', 'together have at most {together} characters'],
    ['src/search/machine-readers.ts', 'has about {MAX_TOKENS} tokens at most'],
    ['sidecar/mcp/tools/reviews.ts', 'more than {MAX_GROUPS} groups'],
  ],
  'sidecar/README.md': [
    ['src/paths.ts', 'one month of reviews, {MONTH_PAGE_LENGTH} to a page'],
    ['sidecar/start.ts', 'per minute and client: {SEARCHES} searches'],
    ['sidecar/start.ts', '{DOWNLOAD_BYTES / 1000 / 1000} MB of files and listings'],
    ['sidecar/app.ts', 'searches and computed reviews of {SEARCH_MS} ms each'],
    ['sidecar/services.ts', '{MCP_REQUESTS} MCP requests per session'],
    ['sidecar/services.ts', '{HUB_REQUESTS} requests to the hub'],
    ['src/build/review-pages.ts', 'as files, up to {FILES_BYTES / 1024 / 1024} MiB'],
    ['src/schema/search.ts', '`limit` ({min} to {max}, default'],
  ],
  'SECURITY.md': [
    ['sidecar/app.ts', 'a client has {SEARCH_MS} ms a minute for each search'],
    ['sidecar/http/connections.ts', 'idle connections ({each} per client, {together} together)'],
    ['sidecar/http/turns.ts', 'computed in turns of {TURN_MS} ms'],
  ],
  'sidecar/hub/README.md': [
    ['src/schema/hub-request.ts', '`hub.lease_seconds` is {min} to {max}, default {default}'],
    ['sidecar/hub/outbound/outbound.ts', 'within {PATIENCE_MS / 1000} s, and a second more for'],
    ['sidecar/hub/outbound/outbound.ts', 'more for each {BODY_BYTES_A_SECOND / 1024} KiB'],
    ['sidecar/hub/store/room.ts', 'at most {perHost} subscriptions'],
    ['sidecar/hub/store/room.ts', 'get at most {perDomain}.'],
    ['sidecar/hub/store/room.ts', 'at most {waitingPerClient} of one client network, and'],
    ['sidecar/hub/store/room.ts', 'of one client network, and {waiting} in all'],
    ['sidecar/hub/schedule.ts', 'exchanges of their own ({prompt}, {unknown} and {slow})'],
    ['sidecar/hub/schedule.ts', 'New hosts of one domain share {PER_GROUP} exchanges'],
    ['sidecar/hub/hosts.ts', 'took their last delivery within {SLOW_MS / 1000} s'],
    ['sidecar/hub/store/tables.ts', 'is divided into {PARTS} parts'],
    ['sidecar/hub/verdict.ts', 'also tries every {LOOK_MS / 60000} min'],
  ],
  'sidecar/deploy/SIGNING.md': [
    ['src/build/signing.ts', '{MAX_DAYS} at most.'],
    ['src/build/signing.ts', 'published again, in {ROLLBACK_MAX_LENGTH} characters'],
  ],
  'src/journal/README.md': [['src/resources/changes.ts', 'at most {MAX_CHANGES}, newest first']],
  'src/owner/import/README.md': [
    ['src/schema/review.ts', 'at most {MAX_ATTRIBUTES} in all'],
    ['src/owner/import/dates.ts', 'years before {first} or after {last}.'],
    ['src/owner/import/withdrawal.ts', 'If more than {A_FEW} reviews and'],
  ],
  'src/insights/README.md': [
    ['src/insights/aggregate/coverage.ts', 'with fewer than {MIN_READ} reviews'],
    ['src/insights/aggregate/quoted-only.ts', '{MIN_CHECKED} reviews of four stars or more'],
    ['src/insights/aggregate/temporal.ts', 'two periods of {TREND_WINDOW_DAYS} days'],
    ['src/insights/aggregate/quotes.ts', 'Those of {min} to'],
  ],
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
  for (const [path, sentences] of Object.entries(STATED)) {
    const { text } = documents.find((one) => one.path === path)!;
    const words = text.replaceAll(/\s+/g, ' ');
    for (const [program, sentence] of sentences) {
      const said = sentence.replaceAll(/\{([^}]+)\}/g, (_, stated: string) => {
        found++;
        return numberIn(program, stated).toLocaleString('en');
      });
      const plain = said.replaceAll(/(\d),(?=\d{3}\b)/g, '$1');
      assert.ok(words.includes(said) || words.includes(plain), `${path}: ${said}`);
    }
  }
  assert.ok(found > 30);
});

test('versions, hashes and other counts that documents state are those of the files', () => {
  const file = (path: string) => readFileSync(join(ROOT, path));
  const { version, devDependencies } = JSON.parse(file('package.json').toString()) as {
    version: string;
    devDependencies: Record<string, string>;
  };
  const weights = file('src/insights/polarity-weights.tsv').toString().split('\n').length;
  const counted: Record<string, string> = {
    'README.md': `installs Node ${devDependencies.node!.split('.', 1)[0]}.`,
    'SECURITY.md': `${HOSTILE_REVIEWS.length} known injections`,
    'sidecar/mcp/README.md': `puts ${QUESTIONS.length} questions to these tools`,
    'src/insights/README.md': `about ${(Math.round(weights / 100) * 100).toLocaleString('en')} named weights`,
  };
  let found = 0;
  for (const { path, text } of documents) {
    const plain = text.replaceAll(/\s+/g, ' ');
    assert.ok(plain.includes(counted[path] ?? ''), `${path}: ${counted[path]}`);
    if (path === 'CHANGELOG.md') continue;
    for (const [, stated] of text.matchAll(/(?:@v|: v|service-)(\d+\.\d+\.\d+)/g)) {
      found++;
      assert.equal(stated, version, path);
    }
    for (const [, stated] of text.matchAll(/\bnode:([\d.]+)-/g)) {
      assert.equal(stated, devDependencies.node, path);
    }
    for (const [, of, hash] of text.matchAll(/^sha256sum (\S+)\n# (\w+)$/gm)) {
      found++;
      assert.equal(hash, createHash('sha256').update(file(of!)).digest('hex'), path);
    }
  }
  assert.ok(found >= 6, `${found}`);
});
