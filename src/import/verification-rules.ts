import { verificationOf, type ImportRecord } from '../schema/provenance.ts';
import { ImportError } from './choose-reading.ts';
import { VERIFICATION } from './formats.ts';

export const VERIFICATION_FLAG = `--verification 'Only guests who stayed can write a review.'`;

interface StatedRules {
  /** For platforms that have no sentence of their own. */
  verification?: string | undefined;
  /** By platform. */
  verifications?: ReadonlyMap<string, string> | undefined;
}

/** Finds what "verified" means on each platform of a file: a sentence that is published. */
export class VerificationRules {
  readonly #stated: StatedRules;
  readonly #imports: readonly ImportRecord[];
  readonly #bySource = new Map<string, string>();

  constructor(stated: StatedRules, imports: readonly ImportRecord[]) {
    this.#stated = stated;
    this.#imports = imports;
  }

  /**
   * Notes the rules of the platforms of a table.
   *
   * @param ofFormat the rule of all its reviews
   * @throws {ImportError} for a platform without a rule
   */
  state(table: string, ofFormat: string | undefined, sources: ReadonlySet<string>): void {
    const { verification: given, verifications } = this.#stated;
    for (const source of sources) {
      // One sentence for several platforms is meant for those that have none.
      const rule =
        verifications?.get(source) ??
        (sources.size === 1 ? given : undefined) ??
        ofFormat ??
        VERIFICATION.get(source) ??
        this.#earlier(source) ??
        given;
      if (rule === undefined) {
        throw new ImportError(
          `${table}: say what made sure that a review on ${source} is real; the site publishes it:\n` +
            VERIFICATION_FLAG,
        );
      }
      this.#bySource.set(source, rule);
    }
  }

  sources(): string[] {
    return [...this.#bySource.keys()].sort();
  }

  /** Returns the one rule, or the rules by platform where they differ. */
  stated(): ImportRecord['verification'] {
    const rules = new Set(this.#bySource.values());
    if (rules.size === 1) return [...rules][0]!;
    return Object.fromEntries(
      this.sources().map((source) => [source, this.#bySource.get(source)!]),
    );
  }

  #earlier(source: string): string | undefined {
    const record = this.#imports.findLast(({ sources }) => sources.includes(source));
    return record && verificationOf(record, source);
  }
}
