import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the secret lies in DATA_DIR when no setting gives one. */
const SECRET_FILE = 'mcp-secret';
/** A shorter file was cut off before it was written, and signs nothing. */
const LEAST_LENGTH = 16;

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
  if (present === undefined) return createSecret(file, config.DATA_DIR, link);
  if (present.length >= LEAST_LENGTH) return present;
  return createSecret(file, config.DATA_DIR, rename);
}

/**
 * Writes a secret to a temporary file and puts that in place, so that two processes starting
 * together read the same secret.
 *
 * @param put `link` leaves a file that another process made meanwhile, `rename` replaces it
 */
async function createSecret(
  file: string,
  folder: string,
  put: typeof link | typeof rename,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const staging = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(staging, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  try {
    await put(staging, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(staging, { force: true });
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
