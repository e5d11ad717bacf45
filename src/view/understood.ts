import { packLabel } from '../messages/pack-label.ts';
import type { Wording } from '../messages/wording.ts';
import type { QueryReading } from '../schema/search.ts';

/** Returns one line that tells how the words of a search were read; empty if they were taken as typed. */
export function understoodText(
  {
    phrase,
    near,
    all = 0,
    corrected = {},
    suggested = {},
    joined = {},
    ignored = [],
  }: QueryReading,
  wider: Readonly<Record<string, number>> | undefined,
  { t, language }: Wording,
): string {
  const list = (words: readonly string[]) => words.join(t('page.comma'));
  const subjects = Object.entries(wider ?? {}).map(
    ([name, count]) => `${packLabel(name, language)} (${count})`,
  );
  const also = Object.values(joined).flat();
  const others = Object.values(suggested);
  return [
    ...Object.entries(corrected).map(([written, right]) =>
      t('search.corrected', { written, right }),
    ),
    ...(others.length > 0 ? [t('search.meant', { names: list(others) })] : []),
    ...(near !== undefined && near > 0 ? [t('search.near_words', { near, all })] : []),
    ...(!near && phrase !== undefined && phrase < all
      ? [t('search.all_words', { phrase, all })]
      : []),
    ...(also.length > 0 ? [t('search.also', { words: list(also) })] : []),
    ...(subjects.length > 0 ? [t('search.subjects', { names: list(subjects) })] : []),
    ...(ignored.length > 0 ? [t('search.ignored', { words: list(ignored) })] : []),
  ].join(' ');
}
