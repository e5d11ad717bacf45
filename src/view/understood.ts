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
  { t }: Wording,
): string {
  const list = (words: readonly string[]) => words.join(t('page.comma'));
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
    ...(ignored.length > 0 ? [t('search.ignored', { words: list(ignored) })] : []),
  ].join(' ');
}
