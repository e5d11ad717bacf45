import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/fixtures.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';
import { GENERATORS } from './programs.ts';

// npm run clients: checks the OpenAPI document with two linters, and has three generators make
// clients of it, which must compile strictly and work against a running sidecar. It installs the
// tools in a folder of its own, because together they are larger than all other dependencies.

const LINTERS = ['@redocly/cli@2', '@stoplight/spectral-cli@6.16.3'];
const STRICT =
  '--strict --noUncheckedIndexedAccess --noEmit --target esnext --module preserve ' +
  '--allowImportingTsExtensions --types node';

const TYPES = join(ROOT, 'node_modules/@types');
const BUNDLE = '--bundle --platform=node --format=esm --log-level=error';

const folder = await mkdtemp(join(tmpdir(), 'reviews-clients-'));
const server = await listenOnFreePort(await sampleApp());
try {
  const { origin } = new URL(server.url);
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as object;
  const here = { ...document, servers: [{ url: origin }] };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(here));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const packages = [...LINTERS, ...GENERATORS.flatMap((generator) => generator.packages)];
  // Peers: one of them still asks for an older TypeScript than the one that checks its output.
  await step('npm', 'install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', ...packages);

  await tool('redocly', 'lint', '--extends', 'recommended-strict', 'openapi.json');
  await tool('spectral', 'lint', '--fail-severity', 'hint', 'openapi.json');
  for (const [index, { command, program }] of GENERATORS.entries()) {
    const [name, ...options] = command.split(' ');
    await tool(name!, ...options);
    const file = `use-${index}.ts`;
    await writeFile(join(folder, file), program);
    await step(
      join(ROOT, 'node_modules/.bin/tsc'),
      ...STRICT.split(' '),
      '--typeRoots',
      TYPES,
      file,
    );
    await step(
      join(ROOT, 'node_modules/.bin/esbuild'),
      ...BUNDLE.split(' '),
      file,
      `--outfile=${file}.mjs`,
    );
    await step(process.execPath, `${file}.mjs`, origin);
  }
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

/** Runs a program that was installed in the folder. */
function tool(name: string, ...args: string[]): Promise<void> {
  return step(join(folder, 'node_modules/.bin', name), ...args);
}

async function step(command: string, ...args: string[]): Promise<void> {
  const started = performance.now();
  await promisify(execFile)(command, args, { cwd: folder }).catch((error: StepError) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${seconds} s  ${basename(command)} ${args.join(' ').slice(0, 100)}`);
}

type StepError = Error & { stdout: string };
