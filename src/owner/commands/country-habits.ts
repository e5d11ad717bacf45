/** The EEA and the UK: their data protection law makes initials the better proposal. */
const INITIALS_PROPOSED = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

/** Countries where most customers read a language of the pages that is not English. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ar: 'AE BH EG IQ JO KW LB OM QA SA YE',
  de: 'AT DE LI',
  es: 'AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PR PY SV UY VE',
  fr: 'FR MC',
};

/** Returns the language that customers in the country of a business read, of those that pages have. */
export function languageIn(country: string | undefined): string {
  const code = country?.toUpperCase() ?? '';
  const found = Object.entries(COUNTRIES).find(([, codes]) => code && codes.includes(code));
  return found?.[0] ?? 'en';
}

/** Returns how the names of authors are best shown in a country. */
export function displayIn(country: string | undefined): 'full' | 'initials' {
  return INITIALS_PROPOSED.has(country?.toUpperCase() ?? '') ? 'initials' : 'full';
}
