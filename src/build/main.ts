import { join, resolve } from 'node:path';
import { build } from 'astro';
import { ContentError } from '../content/issue.ts';
import { parseOptions, runCommand, UsageError, type Command } from '../run-command.ts';
import { astroConfig } from './astro-config.ts';
import { readOptions } from './settings.ts';

const USAGE = 'usage: npm run build -- [dataset folder] [--outDir <folder>] [--strict] [--no-ping]';

/**
 * Builds an edition of a dataset: `content/`, CONTENT_DIR or the folder named. The integration in
 * the Astro configuration does the work and prints what it did; Astro itself is silent.
 */
const buildEdition: Command = async (args) => {
  const { positionals, values } = parseOptions(
    args,
    {
      allowPositionals: true,
      options: {
        outDir: { type: 'string' },
        strict: { type: 'boolean' },
        'no-ping': { type: 'boolean' },
      },
    },
    USAGE,
  );
  if (positionals.length > 1) throw new UsageError(USAGE);
  const [contentDir] = positionals;
  const { outDir, strict, 'no-ping': noPing } = values;
  const config = astroConfig(readOptions(takeEnvironment(), { contentDir, strict, noPing }));
  try {
    await build({
      ...config,
      configFile: false,
      logLevel: 'silent',
      root: join(import.meta.dirname, '../..'),
      outDir: resolve(outDir || 'dist'),
    });
  } catch (error) {
    if (error instanceof ContentError || error instanceof UsageError) throw error;
    // Not the dataset's: the stack tells which page failed.
    throw new Error((error as Error).stack, { cause: error });
  }
};

/**
 * Returns the environment and leaves the process none: Astro writes every variable whose name occurs
 * in one of its modules, such as CI, into the bundles, so that two shells would build two servers. A process
 * of its own would outlive a build that is killed by seconds, in the folder that the next build writes.
 */
function takeEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) delete process.env[name];
  process.env.NODE_ENV = 'production'; // Vite builds another server for other values
  // The key of server islands, which no page has: a random one would make each build of the server differ.
  process.env.ASTRO_KEY = 'bm8gc2VydmVyIGlzbGFuZHMgYXJlIHVzZWQgaGVyZS4=';
  return env;
}

await runCommand({ build: async () => buildEdition }, ['build', ...process.argv.slice(2)]);
