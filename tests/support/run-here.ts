import type { Command } from '../../src/run-command.ts';

/** Output of a command, and its error if it failed. */
export interface Ran {
  output: string;
  error?: Error;
}

/** Runs a command on a dataset in this process, because to start another takes longer. */
export async function runHere(
  command: Command,
  contentDir: string,
  args: readonly string[],
): Promise<Ran> {
  const lines: string[] = [];
  process.env.CONTENT_DIR = contentDir;
  try {
    await command(args, (line) => void lines.push(line));
    return { output: lines.join('\n') };
  } catch (error) {
    return { output: lines.join('\n'), error: error as Error };
  } finally {
    delete process.env.CONTENT_DIR; // other tests of this process have content of their own
  }
}
