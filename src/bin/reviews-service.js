#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// The command of the package. It works on the dataset in `content` below the current folder, and
// writes to `dist` and `.data` beside it. Any Node can start it, so it is plain JavaScript; the
// program runs on the Node that the package depends on.

const program = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const PROGRAMS = {
  build: ['src/build/main.ts'],
  hub: ['sidecar/commands/main.ts'],
  serve: ['sidecar/main.js'],
  start: ['src/start/main.ts'],
};

const USAGE = `usage: npx --no reviews-service COMMAND
  new [--repository]   describes the business, and writes content/
  import FILE          reads an export of a platform; sync reads its API
  start                builds the site and serves it here
  build                writes the site to dist/client
  serve                serves it, with search and MCP
  verify URL           checks every number of a site, this one or another
  doctor URL           asks a live site what its visitors and programs ask
  erase ID             erases a review, or the name of its author
  check, record, suggest, ping, upload, sign, annotate, explain, hub
Each explains itself with --help. They work on the dataset in ./content, or in the folder that CONTENT_DIR names.
`;

const [name = '--help', ...args] = process.argv.slice(2);
if (name === '--help') {
  process.stdout.write(USAGE);
  process.exit();
}
const [main, ...first] = PROGRAMS[name] ?? ['src/owner/main.ts', name];
const child = spawn(
  nodePath(),
  ['--max-semi-space-size=8', join(program, main), ...first, ...args],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      REVIEWS_COMMAND: 'npx --no reviews-service',
      // Processes that the program starts need the hook too.
      NODE_OPTIONS: [
        process.env.NODE_OPTIONS,
        '--disable-warning=ExperimentalWarning',
        `--import=${pathToFileURL(join(program, 'src/bin/strip-types.js')).href}`,
      ]
        .filter(Boolean)
        .join(' '),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => (process.exitCode = signal ? 1 : (code ?? 1)));

/** Returns the Node to run on: this one if it is new enough, or the one that npm installed. */
function nodePath() {
  const [major] = process.versions.node.split('.');
  if (Number(major) >= 24) return process.execPath;
  return createRequire(import.meta.url).resolve('node/bin/node');
}
