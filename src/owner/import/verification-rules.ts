import { PLATFORMS } from '../../schema/platforms.ts';
import { verificationOf, type ImportRecord } from '../../schema/provenance.ts';
import { ImportError } from './import-error.ts';

export const VERIFICATION_FLAG = `--verification 'Only guests who stayed can write a review.'`;

/**
 * Returns what "verified" means on the platforms of a file: a sentence that is published, or one for
 * each platform where they differ.
 *
 * @param ofFormat the rule of all its reviews
 * @param stated the rule that a person states; in a file of several platforms of those without another
 * @throws {ImportError} for a platform without a rule
 */
export function rulesOf(
  { file, sources }: Pick<ImportRecord, 'file' | 'sources'>,
  ofFormat: string | undefined,
  stated: string | undefined,
  imports: readonly ImportRecord[],
): ImportRecord['verification'] {
  const rules = sources.map((source): [source: string, rule: string] => {
    const earlier = imports.findLast((record) => record.sources.includes(source));
    const rule =
      (sources.length === 1 && stated) ||
      ofFormat ||
      PLATFORMS[source]?.rule ||
      (earlier && verificationOf(earlier, source)) ||
      stated;
    if (rule) return [source, rule];
    throw new ImportError(
      `${file}: say what made sure that a review on ${source} is real; the site publishes it:\n` +
        VERIFICATION_FLAG,
    );
  });
  const [first, ...others] = rules.map(([, rule]) => rule);
  return others.every((rule) => rule === first) ? first! : Object.fromEntries(rules);
}
