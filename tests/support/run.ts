import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './fixtures.ts';

/** Runs a program in the project's folder. @throws with all that it wrote when it fails */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await promisify(execFile)(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error });
  }
}
