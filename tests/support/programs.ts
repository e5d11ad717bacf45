import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './fixtures.ts';

/**
 * Creates a folder of shell scripts that replace programs.
 *
 * @returns the environment in which they come first
 */
export async function programs(
  context: Parameters<typeof temporaryFolder>[0],
  scripts: Readonly<Record<string, string>>,
): Promise<{ PATH: string }> {
  const folder = join(await temporaryFolder(context), 'bin');
  await mkdir(folder);
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/bash\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return { PATH: `${folder}:${process.env.PATH}` };
}

/** Programs of a server that rsync.sh publishes to: its commands over ssh run here. */
export const RSYNC_SERVER = {
  ssh: `while [[ $1 = -[oil] ]]; do shift 2; done; shift; exec bash -c "$*"`,
};
