import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../sidecar/base/config.ts';
import { mcpClients } from '../../src/developers/mcp-clients.ts';
import { FORMATS } from '../../src/owner/import/known-formats.ts';
import { OPERATIONS } from '../../src/resources/catalogue.ts';
import { RECORD_MEMBERS } from '../../src/schema/journal.ts';
import { MCP_TOOLS } from '../../src/schema/mcp-catalog.ts';
import { reviewFilters, SORTS } from '../../src/schema/search.ts';
import { comments, documents, programWords, sources, workflows } from '../support/documents.ts';
import { ROOT } from '../support/fixtures.ts';
import { SERVE_FLAGS } from '../support/sidecar-process.ts';

const all = documents.map(({ text }) => text).join('\n');

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Returns the text below a heading or a line, up to the next heading. */
function section(path: string, heading: string): string {
  const [, rest] = read(path).split(`\n${heading}\n`);
  assert.ok(rest !== undefined, `${path}: ${heading}`);
  return rest.split(/\n#+ /, 1)[0]!;
}

test('the README fits on a few screens', () => {
  assert.ok(Buffer.byteLength(read('README.md')) < 6 * 1024);
});

test('the program is installed by its address: nobody owns its name in the registry', () => {
  for (const { path, text } of [...documents, ...sources, ...workflows]) {
    if (path === 'CHANGELOG.md') continue;
    assert.doesNotMatch(text, /npm (install|i|add) (-\S+ )*reviews-service/, path);
    // Without --no, npx installs what is not there.
    assert.doesNotMatch(text, /npx (?!--no )(-\S+ )*reviews-service/, path);
  }
});

test('NOTICE names every package whose license asks for its source', () => {
  type Lock = { packages: Record<string, { license?: string }> };
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  const named = read('NOTICE').match(/[@\w][\w@/.*-]*[\w*]/g)!;
  const isNamed = (name: string) =>
    named.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  const copyleft = Object.entries(packages)
    .filter(([, { license = '' }]) => /GPL|MPL|EPL|CDDL/.test(license))
    .map(([path]) => path.replace(/.*node_modules\//, ''));
  assert.ok(copyleft.length > 0);
  for (const name of copyleft) assert.ok(isNamed(name), name);
});

test('every npm script is documented, and every one that documents name exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const found = all.matchAll(/npm (?:run )?(?!(?:ci|install)\b)([a-z][a-z:-]*)/g);
  const named = new Set([...found].map(([, name]) => name!));
  assert.deepEqual([...named].sort(), Object.keys(scripts).sort());
  assert.ok(Object.keys(scripts).length <= 20);
});

test('every bench that documents name exists', () => {
  const names = new Set(
    read('tests/bench/main.ts')
      .match(/^  '?[a-z-]+'?(?=: \w+,$|,$)/gm)!
      .map((name) => name.replace(/\W*([\w-]+).*/, '$1')),
  );
  const named = [...all.matchAll(/npm run bench -- ((?:[a-z][a-z-]* ?)+)/g)].flatMap(([, list]) =>
    list!.trim().split(' '),
  );
  assert.ok(named.length > 3);
  for (const name of named) assert.ok(names.has(name), name);
});

test('npm run test:fast builds nothing, as CONTRIBUTING says', () => {
  const fast = sources.filter(({ path }) => path.startsWith('tests/unit/'));
  assert.ok(fast.length > 50);
  for (const { path, text } of fast)
    assert.doesNotMatch(text, /import .*(?:sample|build)Edition\b/, path);
});

for (const [script, program] of [
  ['reviews', 'src/owner/main.ts'],
  ['hub', 'sidecar/commands/main.ts'],
] as const) {
  test(`every command of npm run ${script} is documented, and every one named exists`, () => {
    const named = new RegExp(`npm run ${script} -- ([a-z]+)`, 'g');
    const texts = [...documents, ...sources, ...workflows].map(({ text }) => text).join('\n');
    const found = read(program).matchAll(/^    (\w+): (?:async|withA)/gm);
    const commands = [...found].map(([, name]) => name!);
    assert.ok(commands.length > 1);
    for (const [, name] of texts.matchAll(named)) assert.ok(commands.includes(name!), name);
    const documented = all.matchAll(/npm run (?:(?:reviews|hub) -- )?([a-z]+)/g);
    const names = new Set([...documented].map(([, name]) => name!));
    for (const name of commands) assert.ok(names.has(name), name);
  });
}

test('a workflow lists at its top every variable and secret that it reads', () => {
  const listed = workflows
    .map(({ text }) => text.split('\non:', 2))
    .filter(([top]) => top!.includes('Variables:'));
  assert.equal(listed.length, 2);
  for (const [top, text] of listed) {
    const read = new Set(
      [...text!.matchAll(/(?:vars|secrets)\.([A-Z\d_]+)/g)].map(([, name]) => name!),
    );
    const named = [...top!.matchAll(/\b[A-Z\d]+(?:_[A-Z\d]+)+\b|\bDEPLOY\b/g)].map(
      ([name]) => name,
    );
    assert.deepEqual([...new Set(named)].sort(), [...read].sort());
  }
});

test('every way to start the sidecar gives Node the flags of npm run serve', () => {
  const flags = SERVE_FLAGS.join(' ');
  assert.match(flags, /^--max-semi-space-size=\d+$/);
  const service = 'sidecar/deploy/reviews-sidecar.service';
  for (const path of ['sidecar/Dockerfile', service, 'src/start/main.ts']) {
    const plain = read(path).replace(/[',"]|program\(/g, '');
    assert.ok(plain.includes(`${flags} sidecar/main.js`), path);
  }
});

test('links between documents lead to a file and a heading that exist', () => {
  let links = 0;
  for (const { path, text } of documents) {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      links++;
      const [file, anchor] = target!.split('#') as [string, string | undefined];
      const linked = file === '' ? path : normalize(join(dirname(path), file));
      assert.ok(existsSync(join(ROOT, linked)), `${path}: ${target}`);
      if (anchor !== undefined) assert.ok(anchors(read(linked)).has(anchor), `${path}: ${target}`);
    }
  }
  assert.ok(links > 20);
});

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!.toLowerCase());
  const plain = headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, ''));
  return new Set(plain.map((heading) => heading.replaceAll(' ', '-')));
}

const NAMED_FILE = /(?<![\w./:-])(?:src|sidecar|tests|content|\.github)\/[\w./<>{}*-]+/g;

test('files that documents and comments name exist', () => {
  const texts = [
    ...documents,
    ...sources.map(({ path, text }) => ({ path, text: comments(text).join('\n') })),
  ];
  let count = 0;
  for (const { path, text } of texts) {
    for (const [named] of text.matchAll(NAMED_FILE)) {
      if (/[<{*]|^content\/.*\.jsonl$/.test(named)) continue;
      count++;
      assert.ok(existsSync(join(ROOT, named.replace(/\.$/, ''))), `${path}: ${named}`);
    }
  }
  assert.ok(count > 50);
});

/** Names of other programs, formats and data. */
const FOREIGN =
  /^(allowoverride|cpu-prof|emptydir|ensure_ascii|hub-backup|min_stars|mams-a[ct]sa|no-owner|noncurrentversionexpiration|pg_dump|sort_keys)$/;

test('the names of fields, settings, options, files and metrics in documents are those of the program', () => {
  const words = programWords();
  let count = 0;
  for (const { path, text } of documents) {
    if (path === 'CHANGELOG.md') continue;
    for (const [, code] of text.replaceAll(/```[^]*?```/g, '').matchAll(/`([^`\n]+)`/g)) {
      for (const [name] of code!.includes('://') ? [] : code!.matchAll(/\w+(?:-\w+)*/g)) {
        if (!/[a-z][_-]|[A-Z][_-]|[a-z][A-Z]|^[A-Z]{4,}$/.test(name)) continue;
        const known = name.toLowerCase();
        const metric = known.replace(/^reviews_edition_|_count$/, '');
        const isKnown = words.has(known) || words.has(metric) || FOREIGN.test(known);
        assert.ok(isKnown, `${path}: ${name}`);
        count++;
      }
    }
  }
  assert.ok(count > 300, `${count} names`);
});

/** Returns the names in a sentence of a document that begins and ends so. */
function namesIn(path: string, begin: string, end: string): string[] {
  const [, sentence] = read(path).replaceAll(/\s+/g, ' ').split(begin);
  assert.ok(sentence, `${path}: ${begin}`);
  return [...sentence.split(end, 1)[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

test('the members that a hash covers, the filters, the orders and the tools are those of the program', () => {
  assert.deepEqual(namesIn('src/journal/README.md', 'the review lacks:', '. '), [
    ...RECORD_MEMBERS,
  ]);
  const README = 'sidecar/README.md';
  const filters = namesIn(README, 'combined with AND:', '. ');
  assert.deepEqual(filters.sort(), Object.keys(reviewFilters.shape).sort());
  assert.deepEqual(namesIn(README, 'also take `sort` (', ')'), [...SORTS]);
  assert.deepEqual(
    namesIn('sidecar/mcp/README.md', 'eleven tools:', '. A site'),
    Object.keys(MCP_TOOLS),
  );
});

test('the formats of imports and the clients of MCP that documents name are those of the program', () => {
  const exports = section('src/owner/import/README.md', '## Importing');
  const formats = FORMATS.filter(({ isOwn }) => !isOwn).map(({ name }) => name);
  const tools = formats.flatMap((name) => name.split(' by ').slice(1));
  const platforms = formats.map((name) => name.split(' ', 1)[0]!);
  assert.ok(tools.length > 5 && platforms.length > 20);
  for (const name of [...tools, ...platforms]) assert.ok(exports.includes(name), name);
  const [, list] = /filled in: ([^]+?)\n?\(/.exec(read('sidecar/mcp/README.md'))!;
  const named = list!.trim().split(/, | and the /);
  const clients = mcpClients('', '').map(({ name }) => name);
  for (const name of named)
    assert.ok(
      clients.some((client) => client.includes(name)),
      name,
    );
  for (const client of clients)
    assert.ok(
      named.some((name) => client.includes(name)),
      client,
    );
});

test('the checks of the public suite are tests of the hub', () => {
  const rows = section('sidecar/hub/README.md', '## The public suite').matchAll(
    /^\| \d.*\| (.*?) +\|$/gm,
  );
  const hub = sources.filter(({ path }) => path.startsWith('tests/spec/hub-'));
  const told = [...rows].map(([, name]) => name!);
  assert.ok(told.length > 5);
  for (const name of told)
    assert.ok(
      hub.some(({ text }) => text.includes(`'${name}'`)),
      name,
    );
});

test('the architecture names every folder of the program', () => {
  const rooms = section('src/README.md', '## Rooms');
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true });
  const names = folders.filter((one) => one.isDirectory()).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !rooms.includes(`\`${name}\``)),
    [],
  );
});

test('the table of endpoints is the catalogue', () => {
  const found = read('sidecar/README.md').matchAll(/^\| `([A-Z]+ \/\S*)` +\| (.*?) +\|$/gm);
  const rows = [...found].map(([, endpoint, response]) => `${endpoint} ${response}`);
  const known = OPERATIONS.map((each) => `${each.method.toUpperCase()} ${each.path} ${each.title}`);
  assert.deepEqual(rows, known);
});

test('the table of settings is that of the sidecar, and says when not to set each', () => {
  assert.ok(Object.keys(SETTINGS).length <= 20);
  const row = /^\| `([A-Z_]+)` +\| `?([^|`]*)`? +\| (.*?) +\| (.*?) +\|$/gm;
  const rows = [...read('sidecar/README.md').matchAll(row)].map(([, ...cells]) =>
    cells.map((cell) => cell.trim()),
  );
  const known = Object.entries(SETTINGS).map(([name, setting]) => {
    assert.ok(setting.leave.length > 20, name);
    return [name, setting.default, setting.description, setting.leave];
  });
  assert.deepEqual(rows, known);
});

test('each threat in SECURITY.md names tests that exist, in lines that fit a terminal', () => {
  const items = section('SECURITY.md', '## Threats and mitigations').split(/^- /m).slice(1);
  assert.ok(items.length > 30);
  for (const item of items) {
    const [, tests] =
      /^\*\*.+?\*\*: [^]+ \[([^\]]+)\]$/.exec(item.trim().replaceAll(/\s+/g, ' ')) ?? [];
    assert.ok(tests, item);
    for (const name of tests.split(', ')) {
      assert.ok(existsSync(join(ROOT, 'tests', `${name.slice(1, -1)}.test.ts`)), name);
    }
  }
  for (const path of ['SECURITY.md', 'CHANGELOG.md']) {
    for (const line of read(path).split('\n')) assert.ok(line.length <= 120, line);
  }
});
