import { TEXT_TYPE } from '../paths.ts';
import type { Business } from '../schema/business.ts';
import { documentResource } from './resource.ts';

/** Written by `src/pages/.well-known/security.txt.ts`, which reads the clock. */
export const SECURITY = documentResource({
  id: 'getSecurityText',
  path: '/.well-known/security.txt',
  type: TEXT_TYPE,
  tag: 'Service',
  title: 'Contact for security reports',
  description: 'RFC 9116.',
});

/** RFC 9116, section 2.5.5, recommends less than a year. */
const SECURITY_VALID_MS = 364 * 86_400_000;

/**
 * Writes security.txt (RFC 9116). It expires 364 days after the edition, or after as many such
 * periods as have passed: the file of an abandoned site expires, and that of an old commit is valid
 * when it is built.
 *
 * @param lastModified time of the edition, in seconds since 1970
 * @param now milliseconds since 1970; builds within one period write the same bytes
 */
export function securityText(
  business: Business,
  baseUrl: string,
  lastModified: number,
  now: number,
): string {
  const contact = business.email ? `mailto:${business.email}` : (business.url ?? `${baseUrl}/`);
  const made = lastModified * 1000;
  const passed = Math.floor(Math.max(0, now - made) / SECURITY_VALID_MS);
  const expires = new Date(made + (passed + 1) * SECURITY_VALID_MS);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().slice(0, 19)}Z`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}${SECURITY.path}`,
    '',
  ].join('\n');
}
