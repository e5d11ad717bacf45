import { z } from 'zod';
import { optionalText, webUrl } from './primitives.ts';

/** Licenses for data by their SPDX id, and where each can be read. */
export const DATA_LICENSES: Readonly<Record<string, string>> = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'CC-BY-SA-4.0': 'https://creativecommons.org/licenses/by-sa/4.0/',
  'CC-BY-NC-4.0': 'https://creativecommons.org/licenses/by-nc/4.0/',
  'CC-BY-ND-4.0': 'https://creativecommons.org/licenses/by-nd/4.0/',
  'CC-BY-NC-SA-4.0': 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
  'CC-BY-NC-ND-4.0': 'https://creativecommons.org/licenses/by-nc-nd/4.0/',
  'ODbL-1.0': 'https://opendatacommons.org/licenses/odbl/1-0/',
  'ODC-By-1.0': 'https://opendatacommons.org/licenses/by/1-0/',
  'PDDL-1.0': 'https://opendatacommons.org/licenses/pddl/1-0/',
};

/** `data_license` of `business.json`. */
export const licenseName = z
  .string()
  .refine((name) => Object.hasOwn(DATA_LICENSES, name) || webUrl.safeParse(name).success, {
    error: `must be ${Object.keys(DATA_LICENSES).join(', ')}, or the address of another license`,
  });

/** The terms under which the data may be used. */
export const dataLicense = z
  .strictObject({
    id: z.string().nullable().describe('SPDX id, e.g. CC-BY-4.0; null for any other license.'),
    url: webUrl.nullable().describe('Where the license can be read; null without one.'),
    attribution: optionalText.nullable().describe('Whom to credit, in the words to use.'),
    terms: z.string().describe('All of this in one sentence.'),
  })
  .meta({ title: 'License', description: 'The terms under which the data may be used.' });
export type DataLicense = z.infer<typeof dataLicense>;

/** The law as it is without a license: texts belong to their authors, facts to nobody. */
export const NO_LICENSE: DataLicense = {
  id: null,
  url: null,
  attribution: null,
  terms: 'All rights reserved by their authors; facts may be quoted.',
};

/** Licenses that let everyone use the data for everything, if they credit it or share alike. */
const OPEN = /^(CC0|CC-BY-4|CC-BY-SA|ODbL|ODC-By|PDDL)/;

export function isOpenLicense({ id }: Pick<DataLicense, 'id'>): boolean {
  return id !== null && OPEN.test(id);
}

/**
 * Returns the header Content-Usage (AIPREF, IETF) of every response; undefined without a license. In
 * robots.txt, linters take it for a mistake.
 */
export function contentUsage(license: DataLicense): string | undefined {
  if (license.url === null) return undefined;
  return isOpenLicense(license) ? 'search=y, train-ai=y' : 'search=y';
}
