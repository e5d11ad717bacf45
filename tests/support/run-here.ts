import { UsageError, type Command } from '../../src/run-command.ts';

/** Output and exit status of a command, and its error if it failed. */
export interface Ran {
  status: number;
  output: string;
  error?: Error;
}

/** Runs a command on a dataset in this process, because to start another takes longer. */
export async function runHere(
  command: Command,
  contentDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const lines: string[] = [];
  const own = { CONTENT_DIR: contentDir, ...env };
  Object.assign(process.env, own);
  try {
    const status = await command(args, (line) => void lines.push(line));
    return { status: status ?? 0, output: lines.join('\n') };
  } catch (error) {
    const status = error instanceof UsageError ? 2 : 1;
    return { status, output: lines.join('\n'), error: error as Error };
  } finally {
    for (const name of Object.keys(own)) delete process.env[name]; // other tests have their own
  }
}
