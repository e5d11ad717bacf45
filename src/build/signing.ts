import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CACHE_REVALIDATED } from '../http.ts';
import { sha256 } from '../edition/etag.ts';
import { MANIFEST_FILE } from '../edition/manifest.ts';
import {
  keySet,
  parsePublicKeys,
  parseSigningKey,
  readSignature,
  SIGNATURE_FILE,
  signEdition,
  type EditionSignature,
} from '../edition/signature.ts';
import { EDITION_KEY_PATH } from '../paths.ts';
import { UsageError } from '../run-command.ts';

/** Settings of a signed edition, from the environment. */
export interface Signing {
  key: KeyObject;
  /** Keys that may have signed the edition before, the own one first. */
  publicKeys: KeyObject[];
  sequence: number | undefined;
  /** Folder or address of the edition before. */
  previous: string;
  expiresDays: number;
  rollback: string | null;
}

const DAY_MS = 86_400_000;

/**
 * Reads the settings that sign an edition; undefined without SIGNING_KEY.
 *
 * @param replaced folder of the edition that the build replaces
 * @throws {UsageError} when a setting is invalid
 */
export async function readSigning(
  env: NodeJS.ProcessEnv,
  replaced: string,
): Promise<Signing | undefined> {
  if (!env.SIGNING_KEY) return undefined;
  const key = await setting('SIGNING_KEY', env.SIGNING_KEY, parseSigningKey);
  return {
    key,
    publicKeys: await readPublicKeys(env),
    sequence: numberIn(env, 'EDITION_SEQUENCE'),
    previous: env.PREVIOUS_EDITION || replaced,
    expiresDays: numberIn(env, 'EDITION_EXPIRES_DAYS') ?? 30,
    rollback: env.EDITION_ROLLBACK || null,
  };
}

/**
 * Reads the public keys to publish: that of SIGNING_KEY and those of EDITION_PUBLIC_KEY.
 *
 * @throws {UsageError} when one is invalid
 */
export async function readPublicKeys(env: NodeJS.ProcessEnv): Promise<KeyObject[]> {
  const { SIGNING_KEY: key, EDITION_PUBLIC_KEY: others } = env;
  const own = key ? [createPublicKey(await setting('SIGNING_KEY', key, parseSigningKey))] : [];
  const given = others ? await setting('EDITION_PUBLIC_KEY', others, parsePublicKeys) : [];
  return [...own, ...given.filter((other) => !own[0]?.equals(other))];
}

/** Reads a key given as such or as the path of a file. Messages never repeat it. */
async function setting<T>(name: string, value: string, parse: (text: string) => T): Promise<T> {
  const isFile = !value.includes('-----BEGIN') && !/^[\w-]{43}(,|$)/.test(value);
  try {
    return parse(isFile ? await readFile(value, 'utf8') : value);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : 'must be an Ed25519 key in PEM';
    throw new UsageError(`${name}: ${reason}`);
  }
}

function numberIn(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new UsageError(`${name}: must be a number from 1`);
  return Number(value);
}

/** Writes the public keys as a file of the edition. */
export async function writeKeys(folder: string, publicKeys: readonly KeyObject[]): Promise<void> {
  const file = join(folder, EDITION_KEY_PATH);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(keySet(publicKeys))}\n`);
}

/** Returns the line for the person who builds or signs. */
export function signedLine({ sequence, expires }: EditionSignature): string {
  return `signed as number ${sequence}, until ${expires.slice(0, 10)}`;
}

/**
 * Signs the edition.json of a folder. The same content, number and day give the same bytes, because
 * an edition expires at the end of a day.
 *
 * @param now milliseconds since 1970
 */
export async function writeSignature(
  folder: string,
  signing: Signing,
  now: number,
): Promise<EditionSignature> {
  const before = await previousSignature(signing);
  const expires = (Math.floor(now / DAY_MS) + 1 + signing.expiresDays) * DAY_MS;
  const statement = {
    edition: sha256(await readFile(join(folder, MANIFEST_FILE))),
    sequence: signing.sequence ?? (before?.sequence ?? 0) + 1,
    previous: before?.edition ?? null,
    expires: `${new Date(expires).toISOString().slice(0, 19)}Z`,
    rollback: signing.rollback,
  };
  const signature = signEdition(statement, signing.key);
  await writeFile(join(folder, SIGNATURE_FILE), `${JSON.stringify(signature)}\n`);
  return signature;
}

/** @throws {UsageError} if there is a signature by none of the keys */
async function previousSignature({
  previous,
  publicKeys,
}: Signing): Promise<EditionSignature | undefined> {
  try {
    const bytes = await readPrevious(previous);
    return bytes && readSignature(bytes, publicKeys);
  } catch (error) {
    throw new UsageError(
      `PREVIOUS_EDITION ${previous}: ${(error as Error).message}; with a new key, EDITION_PUBLIC_KEY ` +
        'must have the old one, or EDITION_SEQUENCE and another PREVIOUS_EDITION state what is next',
    );
  }
}

async function readPrevious(place: string): Promise<Buffer | undefined> {
  if (!/^https?:/.test(place)) {
    return readFile(join(place, SIGNATURE_FILE)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }
  const response = await fetch(new URL(SIGNATURE_FILE, `${place.replace(/\/$/, '')}/`), {
    headers: { 'cache-control': CACHE_REVALIDATED },
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
