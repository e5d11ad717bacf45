import { fold } from '../search/tokens.ts';
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
const REGIONS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => regionOf(code) === code,
);

/** Returns the code of a country: itself, or for its name in a language of the pages or its own. */
export function countryCodeOf(name: string): string | undefined {
  const wanted = plain(name);
  if (/^[a-z]{2}$/.test(wanted)) return regionOf(wanted);
  const [, other] = OTHER_NAMES.find(([known]) => known === wanted) ?? [];
  return other ?? REGIONS.find((code) => isNamed('region', code, wanted, languageSpokenIn(code)));
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

/** Returns the language that most people of a region speak. */
export function languageSpokenIn(region: string): string {
  return new Intl.Locale(`und-${region}`).maximize().language;
}

type Kind = 'region' | 'language';

function isNamed(type: Kind, code: string, wanted: string, spoken: string): boolean {
  return [...PAGE_LANGUAGES, spoken].some(
    (locale) => plain(namesIn(locale, type).of(code) ?? '') === wanted,
  );
}

const loaded = new Map<string, Intl.DisplayNames>();

/** Returns the names in a language, which take long to load. */
function namesIn(locale: string, type: Kind): Intl.DisplayNames {
  const key = `${locale} ${type}`;
  const names = loaded.get(key) ?? new Intl.DisplayNames(locale, { type, fallback: 'none' });
  loaded.set(key, names);
  return names;
}

/** Returns a name in lower case, without accents, stops and its article. */
function plain(name: string): string {
  return fold(name)
    .normalize('NFD')
    .replaceAll(/[\p{M}.,’']/gu, '')
    .trim()
    .replace(/^the /, '');
}
