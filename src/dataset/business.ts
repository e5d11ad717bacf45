import type { Business, BusinessRecord } from '../schema/business.ts';
import { DATA_LICENSES, NO_LICENSE, type DataLicense } from '../schema/license.ts';

/**
 * Returns the published part of a `business.json`.
 *
 * @param logo path of the logo on this site, which takes the place of one elsewhere
 */
export function publishBusiness(record: BusinessRecord, baseUrl: string, logo?: string): Business {
  const {
    $schema: _,
    author_display: __,
    data_license: ___,
    data_attribution: ____,
    theme: _____,
    ...business
  } = record;
  const logo_url = logo === undefined ? business.logo_url : baseUrl + logo;
  return { ...business, logo_url, reviews_url: `${baseUrl}/` };
}

/** Returns the license of the data. */
export function licenseOf({
  data_license: name,
  data_attribution: attribution,
}: Pick<BusinessRecord, 'data_license' | 'data_attribution'>): DataLicense {
  if (name === null) return NO_LICENSE;
  const known = DATA_LICENSES[name];
  const credit = attribution === null ? '' : `; credit: ${attribution}`;
  return {
    id: known === undefined ? null : name,
    url: known ?? name,
    attribution,
    terms: `Licensed under ${name} as far as the rights are the publisher's${credit}.`,
  };
}
