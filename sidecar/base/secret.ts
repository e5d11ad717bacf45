import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from './log.ts';
import { readIfPresent, writeAside } from '../../src/files.ts';

/** Files in DATA_DIR, for secrets that no setting gives. */
const SECRET_FILES = { MCP_SECRET: 'mcp-secret', HUB_KEY: 'hub-key' } as const;

/** Another program cut off a shorter file, which is no secret. */
const MIN_LENGTH = 16;

/**
 * Returns a secret: the setting, else a file in DATA_DIR that the first start creates. DATA_DIR is
 * locked, so no other process creates it at the same time. A file that was cut off is kept aside.
 *
 * @throws if replicas share a database but no secret is set
 */
export async function secretOf<Name extends keyof typeof SECRET_FILES>(
  name: Name,
  config: Record<Name | 'DATABASE_URL' | 'DATA_DIR', string>,
  logger: Logger,
): Promise<string> {
  if (config[name] !== '') return config[name];
  if (config.DATABASE_URL !== '') {
    throw new Error(
      `bad settings:\n${name}: must be set with DATABASE_URL, to the same value for every replica`,
    );
  }
  const file = join(config.DATA_DIR, SECRET_FILES[name]);
  const present = (await readIfPresent(file))?.toString();
  if (present !== undefined) {
    if (present.length >= MIN_LENGTH) return present;
    const kept = `${file}.cut-off`;
    await rename(file, kept);
    const message = 'a secret was cut off and is replaced: restore its file from a backup';
    logger.log('error', message, { file, kept });
  }
  const secret = randomBytes(32).toString('base64url');
  await mkdir(config.DATA_DIR, { recursive: true });
  await writeAside(file, secret, 0o600);
  return secret;
}
