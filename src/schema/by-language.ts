/** An entry or lexicon with lists for reviews of any language, and of one language. */
interface Multilingual {
  languages?: Readonly<Record<string, object>> | undefined;
}

/** Returns an entry with the lists that count in a language: those of any language and its own. */
export function inLanguage<T extends Multilingual>(entry: T, code: string): T {
  const { languages, ...any } = entry;
  const own = languages?.[code];
  return own === undefined ? entry : (joinLists(any, own) as T);
}

/** The lists of an entry whose words name it. */
type Naming = Partial<Record<'terms' | 'phrases' | 'subjects' | 'aliases', readonly string[]>>;

/**
 * Returns the words that name an entry in reviews of a language. The label of a term is one of them,
 * unless the term names the languages of its words.
 */
export function namesIn(entry: Multilingual & Naming & { label: string }, code: string): string[] {
  const { terms = [], phrases = [], subjects = [], aliases } = inLanguage(entry, code);
  const isNamed = aliases !== undefined && Object.keys(entry.languages ?? {}).length === 0;
  return [...(isNamed ? [entry.label] : []), ...terms, ...phrases, ...subjects, ...(aliases ?? [])];
}

/** Tells whether an entry has words in a language. */
export function hasNamesIn(entry: Parameters<typeof namesIn>[0], code: string): boolean {
  return namesIn(entry, code).length > 0;
}

/** Joins lists and objects of the same name; any other value of the second replaces that of the first. */
export function joinLists(first: object, second: object): object {
  const joined: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = joined[name];
    if (Array.isArray(before) && Array.isArray(value)) {
      joined[name] = [...new Set([...before, ...value])];
    } else if (isRecord(before) && isRecord(value)) joined[name] = joinLists(before, value);
    else joined[name] = value;
  }
  return joined;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
