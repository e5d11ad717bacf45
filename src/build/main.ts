import { resolve } from 'node:path';
import { build } from 'astro';
import { ContentError } from '../content/issue.ts';
import { parseOptions, runCommand, UsageError, type Command } from '../run-command.ts';

const USAGE = 'usage: npm run build -- [dataset folder] [--outDir <folder>] [--strict]';

/**
 * Builds an edition of a dataset: `content/`, CONTENT_DIR or the folder named. The integration in
 * the Astro configuration does the work and prints what it did; Astro itself is silent.
 */
const buildEdition: Command = async (args) => {
  const { positionals, values } = parse(args);
  if (positionals.length > 1) throw new UsageError(USAGE);
  if (positionals.length === 1) process.env.CONTENT_DIR = resolve(positionals[0]!);
  process.env.NODE_ENV = 'production'; // Vite builds another server where it is set otherwise
  try {
    await build({
      logLevel: 'silent',
      ...(values.outDir && { outDir: resolve(values.outDir) }),
      ...(values.config && { configFile: values.config }),
    });
  } catch (error) {
    if (error instanceof ContentError || error instanceof UsageError) throw error;
    // Not the dataset's: the stack tells which page failed.
    throw new Error((error as Error).stack, { cause: error });
  }
};

function parse(args: readonly string[]) {
  return parseOptions(
    args,
    {
      allowPositionals: true,
      options: {
        outDir: { type: 'string' },
        config: { type: 'string' },
        strict: { type: 'boolean' }, // read by the integration
      },
    },
    USAGE,
  );
}

await runCommand({ build: async () => buildEdition }, ['build', ...process.argv.slice(2)]);
