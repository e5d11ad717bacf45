import data from './languages.json' with { type: 'json' };
import { foldWord } from './tokens.ts';

/** Lists of words of a language, in the form of `foldWord`. */
type ListName = keyof (typeof data)['de'];
type Language = Partial<Record<ListName, string>>;

/** The words of the languages of some reviews that are read in another way than others. */
export interface LanguageWords {
  /** Say little alone, but much side by side: on time, not clean. */
  small: ReadonlySet<string>;
  articles: ReadonlySet<string>;
  /** Small words that turn what is beside them: not, too, without. */
  telling: ReadonlySet<string>;
  /** Make one thing with the word after them: on time, in stock. None is an article of another language. */
  prepositions: ReadonlySet<string>;
  /** Are about asking, as "reviews" and "mention": left out of questions. */
  asking: ReadonlySet<string>;
  /** Begin a question. */
  asks: ReadonlySet<string>;
  /** Come before a name: Dr. Ruiz. */
  titles: ReadonlySet<string>;
  /** By language: two words are one if, after what they share, both end so; a derived word is found by what it is made of. */
  endings: readonly Record<'own' | 'derived', ReadonlySet<string>>[];
  /** True if a language writes compounds as one word. */
  isCompounding: boolean;
  /** Words for filters in a question: numbers of stars, and words beside a year. */
  filters: Readonly<
    Record<'small' | 'asking' | 'stars' | 'since' | 'until', ReadonlySet<string>>
  > & {
    numbers: readonly ReadonlySet<string>[];
    /** Names of months, in full and short, each with its number from 1. */
    months: () => ReadonlyMap<string, number>;
  };
  /** True if a language has umlauts, which people write with an e where they lack the key. */
  hasUmlauts: boolean;
}

const LANGUAGES: Readonly<Record<string, Language>> = { ...data, nb: data.no, nn: data.no };
const PLURAL = 's';

/**
 * Returns what is known of the words of some languages, given as BCP 47 tags.
 *
 * @param pages further languages that filters are asked for in
 */
export function languageWords(
  tags: readonly string[],
  pages: readonly string[] = [],
): LanguageWords {
  const known = languagesOf(tags);
  const asked = languagesOf([...tags, ...pages]);
  const words = (...names: ListName[]) => wordsOf(known, ...names);
  let months: ReadonlyMap<string, number> | undefined;
  return {
    small: words('telling', 'articles', 'small'),
    articles: words('articles'),
    telling: words('telling'),
    prepositions: words('prepositions').difference(words('articles')),
    asking: words('asking'),
    asks: words('asks'),
    titles: wordsOf(asked, 'titles'),
    endings: known.map(({ endings = PLURAL, derived = '' }) => ({
      own: new Set(['', ...endings.split(' ')]),
      derived: new Set(derived.split(' ')),
    })),
    isCompounding: known.some(({ compounds }) => compounds !== undefined),
    filters: {
      small: wordsOf(asked, 'telling', 'articles', 'small'),
      asking: wordsOf(asked, 'asking'),
      stars: wordsOf(asked, 'stars'),
      since: wordsOf(asked, 'since'),
      until: wordsOf(asked, 'until'),
      numbers: [0, 1, 2, 3, 4].map(
        (at) => new Set(asked.flatMap(({ numbers }) => numbers?.split(' ')[at]?.split('|') ?? [])),
      ),
      months: () => (months ??= new Map([...tags, ...pages].flatMap(monthsOf))),
    },
    hasUmlauts: known.some(({ umlauts }) => umlauts !== undefined),
  };
}

function languagesOf(tags: readonly string[]): Language[] {
  const ids = new Set(tags.map((tag) => tag.split('-')[0]!.toLowerCase()));
  return [...ids].map((id) => LANGUAGES[id] ?? { endings: PLURAL });
}

function wordsOf(known: readonly Language[], ...names: ListName[]): Set<string> {
  return new Set(
    known.flatMap((language) => names.flatMap((name) => language[name]?.split(' ') ?? [])),
  );
}

function monthsOf(tag: string): [string, number][] {
  return (['long', 'short'] as const).flatMap((month) => {
    const { format } = new Intl.DateTimeFormat(tag, { month, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, at): [string, number] => [
      foldWord(format(Date.UTC(2026, at))).replace(/\.$/, ''),
      at + 1,
    ]);
  });
}
