import { PLATFORMS } from '../../schema/platforms.ts';
import { verificationOf, type ImportRecord } from '../../schema/provenance.ts';
import { ImportError } from './choose-reading.ts';

export const VERIFICATION_FLAG = `--verification 'Only guests who stayed can write a review.'`;

export interface StatedRules {
  /**
   * Meanings of "verified": `PLATFORM: TEXT` for a platform, or a text for those that have no sentence
   * of their own.
   */
  verification?: string | readonly string[] | undefined;
}

const STATED = /^(?:([a-z0-9]+(?:-[a-z0-9]+)*): )?(.+)$/s;

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
  { verification = [] }: StatedRules,
  imports: readonly ImportRecord[],
): ImportRecord['verification'] {
  const texts = [verification].flat().filter((text) => text !== '');
  const stated = texts.map((text) => STATED.exec(text)!);
  const statedFor = (platform?: string) => stated.findLast(([, of]) => of === platform)?.[2];
  const given = statedFor();
  const rules = sources.map((source) => {
    const earlier = imports.findLast((record) => record.sources.includes(source));
    // One sentence for several platforms is meant for those that have none.
    const rule =
      statedFor(source) ??
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
