import type { MessageId, Wording } from '../messages/wording.ts';

/** Stands for a number until the script knows it; no plural rule takes it for a small one. */
const LEFT = 987_654_321;
/** Numbers among which every language has all of its plural forms. */
const NUMBERS = [...Array(120).keys(), 1_000_000];

/**
 * Returns a script that begins with its words as `WORDS`: a site that embeds it loads nothing else, so
 * counted words are there in each plural form, with `#` for the number. Nothing in it is a global, for
 * tag managers take the type of module from it.
 */
export function withWords(script: string, wording: Wording): string {
  const { t, figure, language, direction } = wording;
  const forms = (id: MessageId, name: string) => {
    const rules = new Intl.PluralRules(language);
    const byForm = NUMBERS.map((number) => {
      const text = t(id, { [name]: number, left: LEFT });
      return [
        rules.select(number),
        text.replace(figure(LEFT), '{left}').replace(figure(number), '#'),
      ] as const;
    });
    return Object.fromEntries(byForm);
  };
  const words = {
    language,
    direction,
    reviews: forms('count.reviews', 'count'),
    stars: forms('count.stars', 'count'),
    left: forms('embed.left_out', 'known'),
    of: t('embed.of', { reviews: '#' }),
    title: t('page.reviews_of', { name: '#' }),
    critical: t('embed.critical', { day: '#' }),
    none: t('embed.no_rating'),
  };
  return `(() => {\nconst WORDS = ${JSON.stringify(words)};\n${script}})();\n`;
}
