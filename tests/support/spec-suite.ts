import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fixtures.ts';
import { run } from './run.ts';

export interface SpecResult {
  passed: number;
  failures: string[];
}

/**
 * Runs files of the suite of the contract against a service, in one process of its own.
 *
 * @param except names of tests that are left out
 */
export async function runSpecSuite(
  url: string,
  except: readonly string[],
  files: string,
): Promise<SpecResult> {
  const suite = globSync(`tests/spec/${files}.test.ts`, { cwd: ROOT });
  const skip = except.map((name) => `--test-skip-pattern=/^${escape(name)}$/`);
  const reporter = join(ROOT, 'tests/support/json-reporter.ts');
  const args = [
    '--test',
    '--test-isolation=none',
    `--test-reporter=${reporter}`,
    ...skip,
    ...suite,
  ];
  // Without NODE_TEST_CONTEXT, or it would report to the runner of this test instead.
  const env = { BASE_URL: url, NODE_TEST_CONTEXT: '' };
  const { stdout } = await run(process.execPath, args, env).catch((error: Error) => {
    const { cause } = error as { cause?: { stdout?: string } };
    if (cause?.stdout?.startsWith('{')) return { stdout: cause.stdout };
    throw error;
  });
  return JSON.parse(stdout) as SpecResult;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
