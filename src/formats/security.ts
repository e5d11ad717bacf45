import { SECURITY_PATH } from '../paths.ts';
import type { Business } from '../schema/business.ts';

/** RFC 9116, section 2.5.5, recommends less than a year. */
const DAYS_VALID = 364;

/**
 * Writes security.txt (RFC 9116).
 *
 * @param madeAt time of the edition, in seconds since 1970, so that the file of an abandoned site
 *   expires
 */
export function securityText(business: Business, baseUrl: string, madeAt: number): string {
  const contact = business.email ? `mailto:${business.email}` : (business.url ?? `${baseUrl}/`);
  const expires = new Date((madeAt + DAYS_VALID * 86_400) * 1000);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().slice(0, 19)}Z`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}${SECURITY_PATH}`,
    '',
  ].join('\n');
}
