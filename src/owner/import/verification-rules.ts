import { PLATFORMS } from '../../schema/platforms.ts';
import { verificationOf, type ImportRecord } from '../../schema/provenance.ts';
import { ImportError } from './choose-reading.ts';

export const VERIFICATION_FLAG = `--verification 'Only guests who stayed can write a review.'`;

export interface StatedRules {
  /** Meaning of "verified" on platforms that have no sentence of their own. */
  verification?: string | undefined;
  /** Meaning of "verified", by platform. */
  verifications?: ReadonlyMap<string, string> | undefined;
}

/**
 * Returns what "verified" means on the platforms of a file: a sentence that is published, or one for
 * each platform where they differ.
 *
 * @param ofFormat the rule of all its reviews
 * @throws {ImportError} for a platform without a rule
 */
export function rulesOf(
  { file, sources }: { file: string; sources: readonly string[] },
  ofFormat: string | undefined,
  { verification: given, verifications }: StatedRules,
  imports: readonly ImportRecord[],
): ImportRecord['verification'] {
  const rules = sources.map((source) => {
    const earlier = imports.findLast((record) => record.sources.includes(source));
    // One sentence for several platforms is meant for those that have none.
    const rule =
      verifications?.get(source) ??
      (sources.length === 1 ? given : undefined) ??
      ofFormat ??
      PLATFORMS[source]?.rule ??
      (earlier && verificationOf(earlier, source)) ??
      given;
    if (rule !== undefined) return [source, rule] as const;
    throw new ImportError(
      `${file}: say what made sure that a review on ${source} is real; the site publishes it:\n` +
        VERIFICATION_FLAG,
    );
  });
  const [first, ...others] = rules.map(([, rule]) => rule);
  return others.every((rule) => rule === first) ? first! : Object.fromEntries(rules);
}
