import { PAGE_LANGUAGES } from '../../schema/business.ts';

/** The EEA and the UK: their data protection law makes initials the better proposal. */
const INITIALS_PROPOSED = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

/** Returns the language that customers in the country of a business read, of those that pages have. */
export function languageIn(country = ''): string {
  const isCode = /^[A-Z]{2}$/i.test(country);
  const spoken = isCode && new Intl.Locale(`und-${country}`).maximize().language;
  return PAGE_LANGUAGES.find((language) => language === spoken) ?? 'en';
}

/** Returns how the names of authors are best shown in a country. */
export function displayIn(country: string | undefined): 'full' | 'initials' {
  return INITIALS_PROPOSED.has(country?.toUpperCase() ?? '') ? 'initials' : 'full';
}
