import { fold, withoutAccents } from '../search/fold.ts';
import { PAGE_LANGUAGES } from '../schema/business.ts';

// The names of countries and languages that people write, as Unicode's data has them.

/** Names that Unicode's data lacks. */
const OTHER_NAMES: readonly [name: string, code: string][] = [
  ['usa', 'US'],
  ['great britain', 'GB'],
  ['großbritannien', 'GB'],
  ['england', 'GB'],
  ['scotland', 'GB'],
  ['wales', 'GB'],
  ['northern ireland', 'GB'],
  ['holland', 'NL'],
  ['czech republic', 'CZ'],
  ['turkey', 'TR'],
];

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns the code of a country: itself, or for its name in a language of the pages or its own. */
export function countryCodeOf(name: string): string | undefined {
  if (/^[a-z]{2}$/i.test(name)) return regionOf(name);
  const wanted = plain(name);
  const [, other] = OTHER_NAMES.find(([known]) => known === wanted) ?? [];
  if (other !== undefined) return other;
  const english = namesIn('en', 'region', 'long');
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const known = codes.filter((code) => english.of(code) !== undefined && regionOf(code) === code);
  return known.find((code) => {
    const spoken = new Intl.Locale(`und-${code}`).maximize().language;
    return isNamed('region', code, wanted, spoken);
  });
}

/** Returns the tag of a language of the pages: itself, or for a name of it in one of them. */
export function languageTagOf(name: string): string | undefined {
  if (/^[a-z]{2}(-[a-z]{2})?$/i.test(name)) return name;
  return PAGE_LANGUAGES.find((code) => isNamed('language', code, plain(name), code));
}

/** Returns the code that stands for a region today: UK is GB. */
function regionOf(code: string): string {
  return new Intl.Locale(`und-${code}`).region!;
}

type Kind = 'region' | 'language';

function isNamed(type: Kind, code: string, wanted: string, spoken: string): boolean {
  return [...PAGE_LANGUAGES, spoken].some((locale) =>
    (['long', 'short'] as const).some((style) => {
      const name = namesIn(locale, type, style).of(code);
      return name !== undefined && plain(name) === wanted;
    }),
  );
}

const loaded = new Map<string, Intl.DisplayNames>();

/** Returns the names in a language, which take long to load. */
function namesIn(locale: string, type: Kind, style: 'long' | 'short'): Intl.DisplayNames {
  const key = `${locale} ${type} ${style}`;
  const names = loaded.get(key) ?? new Intl.DisplayNames(locale, { type, style, fallback: 'none' });
  loaded.set(key, names);
  return names;
}

function plain(name: string): string {
  return withoutAccents(fold(name))
    .replaceAll(/[.,’']/g, '')
    .trim()
    .replace(/^the /, '');
}
