import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts subscribers' secrets, so that a copy of the database does not contain them. */
export class Secrets {
  /** Key objects, because each use of bytes would make a new one. The first key encrypts. */
  readonly #keys: KeyObject[];

  /** @param keys of any length, the same for every replica; after a comma, former ones to read with */
  constructor(keys: string) {
    this.#keys = keys
      .split(',')
      .map((key) => new Uint8Array(hkdfSync('sha256', key, '', 'hub.secret', 32)))
      .map((key) => createSecretKey(key));
  }

  /** Encrypts a secret, if there is one. */
  seal(secret: string | null): string | null {
    if (secret === null) return null;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys[0]!, iv);
    const parts = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  /** Decrypts a secret, if there is one. @throws if it was sealed with another key */
  open(sealed: string | null): string | null {
    if (sealed === null) return null;
    const bytes = Buffer.from(sealed, 'base64url');
    for (const key of this.#keys) {
      const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
      cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = cipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8');
        return text + cipher.final('utf8');
      } catch {
        // it may be sealed with the next key
      }
    }
    throw new Error(
      'HUB_KEY is not the key that the secrets in the store were encrypted with: restore that key, ' +
        'by default the file hub-key in DATA_DIR; without it, start with a new store',
    );
  }
}
