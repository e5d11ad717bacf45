import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../edition/etag.ts';
import {
  areKeys,
  keySet,
  parsePublicKeys,
  parseSigningKey,
  readSignature,
  SIGNATURE_FILE,
  signEdition,
} from '../edition/signature.ts';
import { EDITION_KEY_PATH, EDITION_PATH } from '../paths.ts';
import { UsageError } from '../run-command.ts';
import type { EditionSignature } from '../schema/edition-signature.ts';
import { placeOf, readIfThere } from './site-files.ts';

// Works without a package, because editions are signed where none is installed.

/** Settings of a signed edition, from the environment. */
export type Signing = NonNullable<Awaited<ReturnType<typeof readSigning>>>;

const DAY_MS = 86_400_000;
const MAX_DAYS = 3650;
const ROLLBACK_MAX_LENGTH = 200;

/**
 * Reads the settings that sign an edition; undefined without SIGNING_KEY.
 *
 * @param replaced folder of the edition that the build replaces
 * @throws {UsageError} when a setting is invalid
 */
export async function readSigning(env: NodeJS.ProcessEnv, replaced: string) {
  if (!env.SIGNING_KEY) return undefined;
  const key = await setting('SIGNING_KEY', env.SIGNING_KEY, parseSigningKey);
  const rollback = env.EDITION_ROLLBACK || null;
  if (rollback !== null && rollback.length > ROLLBACK_MAX_LENGTH) {
    throw new UsageError(`EDITION_ROLLBACK: must be at most ${ROLLBACK_MAX_LENGTH} characters`);
  }
  return {
    key,
    /** Keys that may have signed the previous edition, this build's own first. */
    publicKeys: await readPublicKeys(env),
    /** The number, if it is not the time. */
    sequence: numberIn(env, 'EDITION_SEQUENCE', 999_999_999_999_999),
    /** Folder or address of the previous edition. */
    previous: env.PREVIOUS_EDITION || replaced,
    expiresDays: numberIn(env, 'EDITION_EXPIRES_DAYS', MAX_DAYS) ?? 30,
    rollback,
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
  try {
    return parse(areKeys(value) ? value : await readFile(value, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : 'must be an Ed25519 key in PEM';
    throw new UsageError(`${name}: ${reason}`);
  }
}

function numberIn(env: NodeJS.ProcessEnv, name: string, max: number): number | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (/^[1-9]\d{0,14}$/.test(value) && Number(value) <= max) return Number(value);
  throw new UsageError(`${name}: must be a number from 1 to ${max}`);
}

export async function writeKeys(folder: string, publicKeys: readonly KeyObject[]): Promise<void> {
  const file = join(folder, EDITION_KEY_PATH);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(keySet(publicKeys))}\n`);
}

/**
 * Signs the edition.json of a folder. Its number is the time, as the digits of year to second in
 * UTC, so that nobody who can write to the site decides what comes next.
 *
 * @param now milliseconds since 1970
 * @param print gets what the person who signs should know
 * @throws {UsageError} if the edition before has no lower number, unless a rollback is stated
 */
export async function writeSignature(
  folder: string,
  { key, publicKeys, sequence: stated, previous, expiresDays, rollback }: Signing,
  now: number,
  print: (line: string) => void,
): Promise<void> {
  const before = await readPrevious(previous, publicKeys, print);
  // Of two editions signed within a second, the second one takes the number of the next second.
  const isSameSecond = before?.sequence === timeNumber(now);
  const sequence = stated ?? timeNumber(isSameSecond ? now + 1000 : now);
  if (before && before.sequence >= sequence && rollback === null) {
    throw new UsageError(
      `the edition of ${previous} has number ${before.sequence}, and this one would have ${sequence}: ` +
        'set the clock right, or EDITION_SEQUENCE, or say why in EDITION_ROLLBACK',
    );
  }
  const expires = isoSeconds((Math.floor(now / DAY_MS) + 1 + expiresDays) * DAY_MS);
  const edition = sha256(await readFile(join(folder, EDITION_PATH)));
  const statement = { edition, sequence, previous: before?.edition ?? null, expires, rollback };
  const signature = signEdition(statement, key);
  await writeFile(join(folder, SIGNATURE_FILE), `${JSON.stringify(signature)}\n`);
  print(`signed as number ${sequence}, until ${expires.slice(0, 10)}`);
}

function timeNumber(now: number): number {
  return Number(isoSeconds(now).replaceAll(/\D/g, ''));
}

/** Returns a time as ISO 8601 in UTC, to the second. @param time milliseconds since 1970 */
function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Whoever can write to the site can leave anything there, so nothing there stops a signature. */
async function readPrevious(
  place: string,
  publicKeys: readonly KeyObject[],
  print: (line: string) => void,
): Promise<EditionSignature | undefined> {
  try {
    const bytes = await readIfThere(placeOf(place, SIGNATURE_FILE));
    return bytes && readSignature(bytes, publicKeys);
  } catch (error) {
    print(`warning: PREVIOUS_EDITION ${place}: ${(error as Error).message}`);
    return undefined;
  }
}
