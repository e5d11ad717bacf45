import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the secret lies in DATA_DIR when no setting gives one. */
const SECRET_FILE = 'mcp-secret';

/**
 * What signs session ids: the setting, else a file in DATA_DIR, made at the first start.
 *
 * @throws when replicas share a database but have no secret in common
 */
export async function mcpSecret(config: {
  MCP_SECRET: string;
  DATABASE_URL: string;
  DATA_DIR: string;
}): Promise<string> {
  if (config.MCP_SECRET !== '') return config.MCP_SECRET;
  if (config.DATABASE_URL !== '') {
    throw new Error(
      'bad settings:\nMCP_SECRET: must be set with DATABASE_URL, to the same for every replica',
    );
  }
  const file = join(config.DATA_DIR, SECRET_FILE);
  const present = await readIfThere(file);
  return present ?? createSecret(file, config.DATA_DIR);
}

/** Written aside and linked, so that of two processes that start at once both read one whole file. */
async function createSecret(file: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const staging = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(staging, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    await link(staging, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(staging);
  }
  return readFile(file, 'utf8');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
