import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { isExpired, SignatureError, verifyEdition } from '../../src/edition/signature.ts';
import type { EditionSignature } from '../../src/schema/edition-signature.ts';
import type { Logger } from '../base/log.ts';
import { readIfPresent, writeAside } from '../../src/files.ts';
import type { AdoptedEdition } from './adopt.ts';
import { UnusableEditionError } from './source.ts';

/** The newest edition that was taken, whatever its source. */
const newest = z.strictObject({ sequence: z.int().min(1), edition: z.string() });

/** Decides by its signature whether an edition may be served, and until when. */
export class SignaturePolicy {
  readonly #keys: readonly KeyObject[];
  readonly #file: string;
  readonly #now: () => number;
  readonly #logger: Logger;
  /** The end of the signature whose expiry was logged last. */
  #reported: string | undefined;

  /** @param now milliseconds since 1970 */
  constructor(keys: readonly KeyObject[], dataDir: string, now: () => number, logger: Logger) {
    this.#logger = logger;
    this.#keys = keys;
    this.#file = join(dataDir, 'editions', 'sequence.json');
    this.#now = now;
  }

  /**
   * Returns the signature of an edition that may replace the one that is served.
   *
   * @throws {UnusableEditionError} if it is not signed by a known key, has expired, is older than one
   *   that was taken, or if that cannot be read
   */
  async accept(
    source: string,
    manifestBytes: Buffer,
    signatureBytes: Buffer | undefined,
  ): Promise<EditionSignature> {
    const signature = this.#verify(source, manifestBytes, signatureBytes);
    const { sequence, edition: digest, expires } = signature;
    const refuse = (reason: string) => new UnusableEditionError(`${source}: ${reason}`);
    if (isExpired(signature, this.#now())) throw refuse(`the edition expired at ${expires}`);
    const taken = await this.#newest();
    if (taken && sequence < taken.sequence) {
      throw refuse(`the edition has number ${sequence}, and ${taken.sequence} was taken before`);
    }
    if (taken?.sequence === sequence && taken.edition !== digest) {
      throw refuse(`another edition has number ${sequence} too`);
    }
    return signature;
  }

  /** Returns the signature of an edition that was taken before, expired or not. @throws as accept */
  recheck({ folder, manifestBytes, signatureBytes }: AdoptedEdition): EditionSignature {
    return this.#verify(folder, manifestBytes, signatureBytes);
  }

  /** Remembers that an edition was taken, so that no older one is taken after it. */
  async save({ sequence, edition, rollback }: EditionSignature): Promise<void> {
    await writeAside(this.#file, JSON.stringify({ sequence, edition }));
    if (rollback === null) return;
    this.#logger.log('warn', 'an older edition on purpose', { sequence, rollback });
  }

  /** Returns the part of /readyz that a signature has. */
  check(signature: EditionSignature) {
    const { sequence, expires } = signature;
    return { sequence, expires, expired: isExpired(signature, this.#now()) };
  }

  /** Logs the expiry of a signature, once for each. */
  reportExpiry(signature: EditionSignature): void {
    const { expires, expired } = this.check(signature);
    if (!expired || this.#reported === expires) return;
    this.#reported = expires;
    this.#logger.log('error', 'the edition has expired, it is still served', { expires });
  }

  #verify(source: string, manifestBytes: Buffer, bytes: Buffer | undefined): EditionSignature {
    try {
      return verifyEdition(bytes, manifestBytes, this.#keys);
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      throw new UnusableEditionError(`${source}: ${error.message}`, { cause: error });
    }
  }

  async #newest(): Promise<z.infer<typeof newest> | undefined> {
    const bytes = await readIfPresent(this.#file);
    if (bytes === undefined) return undefined;
    try {
      return newest.parse(JSON.parse(bytes.toString()));
    } catch (error) {
      const what = 'is damaged: it has the number of the newest edition, restore it or remove it';
      throw new UnusableEditionError(`${this.#file} ${what}`, { cause: error });
    }
  }
}
