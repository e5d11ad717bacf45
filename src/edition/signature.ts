import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { EditionSignature } from '../schema/edition-signature.ts';
import { sha256 } from './etag.ts';

// Works without a package, because editions are signed where none is installed.

/** Name of the signature beside edition.json. It signs that file, so that file cannot list it. */
export const SIGNATURE_FILE = 'edition-signature.json';

/** The statement that is signed. */
type Statement = Omit<EditionSignature, 'format' | 'key' | 'signature'>;

/** Signs a statement. @throws when the key is not an Ed25519 key */
export function signEdition(statement: Statement, key: KeyObject): EditionSignature {
  const signed = { format: 1 as const, ...statement, key: thumbprint(createPublicKey(key)) };
  const signature = sign(null, signedBytes(signed), key).toString('base64url');
  return { ...signed, signature };
}

/** The members are flat, so that sorting their names makes canonical JSON (RFC 8785). */
function signedBytes(signed: Omit<EditionSignature, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(signed, Object.keys(signed).sort()));
}

/** The reason why an edition is not taken. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/**
 * Checks that a signature belongs to exactly this edition.json and is by one of the keys. Callers
 * decide if it is too old.
 *
 * @throws {SignatureError}
 */
export function verifyEdition(
  bytes: Uint8Array | undefined,
  manifestBytes: Uint8Array,
  keys: readonly KeyObject[],
): EditionSignature {
  if (!bytes) throw new SignatureError('the edition is not signed');
  const signature = readSignature(bytes, keys);
  if (signature.edition === sha256(manifestBytes)) return signature;
  throw new SignatureError('the signature belongs to another edition.json');
}

/**
 * Reads a signature. What one of the keys signed is of the shape that {@link signEdition} takes.
 *
 * @throws {SignatureError} unless one of the keys made it
 */
export function readSignature(bytes: Uint8Array, keys: readonly KeyObject[]): EditionSignature {
  const parsed = parseJson(bytes) as EditionSignature | null | undefined;
  if (parsed?.format !== 1 || !/^[\w-]{86}$/.test(parsed.signature)) {
    throw new SignatureError(`${SIGNATURE_FILE} is not a signature of format 1`);
  }
  const { signature, ...signed } = parsed;
  const key = keys.find((key) => thumbprint(key) === signed.key);
  if (!key) throw new SignatureError('the edition is signed by another key');
  if (!verify(null, signedBytes(signed), key, Buffer.from(signature, 'base64url'))) {
    throw new SignatureError('the signature of the edition is invalid');
  }
  return parsed;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** Returns true if a signature is no longer valid. @param now milliseconds since 1970 */
export function isExpired({ expires }: Pick<EditionSignature, 'expires'>, now: number): boolean {
  return now >= Date.parse(expires);
}

const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

/** Tells keys that are given as such from the path of a file that has them. */
export function areKeys(setting: string): boolean {
  return setting.includes('-----BEGIN') || /^[\w-]{43}(,|$)/.test(setting);
}

/**
 * Reads public keys: the `x` of each in the site's key file, separated by commas, or PEM blocks.
 *
 * @throws when there is none, or one is not an Ed25519 key
 */
export function parsePublicKeys(text: string): KeyObject[] {
  const blocks = withLines(text).match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g);
  const keys = (blocks ?? text.trim().split(/[\s,]+/)).map((key) => {
    if (blocks) return createPublicKey(key);
    if (!PUBLIC_KEY.test(key)) throw new Error('must be public Ed25519 keys');
    return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key } });
  });
  if (keys.some(({ asymmetricKeyType: type }) => type !== 'ed25519')) {
    throw new Error('must be public Ed25519 keys');
  }
  return keys;
}

/** Reads the key that signs. @throws unless it is an Ed25519 key in PKCS #8 PEM */
export function parseSigningKey(pem: string): KeyObject {
  const key = createPrivateKey(withLines(pem));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('must be an Ed25519 key');
  return key;
}

/** Reads a PEM whose lines end in a backslash and an n, as files with the settings of containers have it. */
function withLines(pem: string): string {
  return pem.replaceAll(/\\+n/g, '\n');
}

/** Returns the JSON Web Key Set (RFC 7517, RFC 8037) of public keys. */
export function keySet(keys: readonly KeyObject[]): object {
  return {
    keys: keys.map((key) => ({
      ...publicMembers(key),
      kid: thumbprint(key),
      use: 'sig',
      alg: 'EdDSA',
    })),
  };
}

/** Returns the members that a thumbprint covers, in the order of RFC 7638. */
function publicMembers(key: KeyObject): { crv: string; kty: string; x: string } {
  const { crv, kty, x } = key.export({ format: 'jwk' });
  return { crv: crv!, kty: kty!, x: x! };
}

function thumbprint(key: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(publicMembers(key)))
    .digest('base64url');
}
