import { isOpenLicense, type DataLicense } from '../schema/license.ts';
import { escapeHtml } from './feed.ts';
import { documentResource } from './resource.ts';

const LICENSE_PATH = '/license.xml';

/** Open licenses that ask for credit. */
const CREDITED = /BY|By|ODbL/;

export const LICENSE = documentResource({
  id: 'getLicense',
  path: LICENSE_PATH,
  type: 'application/rsl+xml',
  tag: 'Service',
  title: 'The license of the data, for crawlers',
  description: 'Really Simple Licensing 1.0; only of data under a license that permits every use.',
  isOptional: true,
  instances: ({ baseUrl, dataset: { license } }) =>
    license.url === null ? [] : [{ path: LICENSE_PATH, build: () => rsl(license, baseUrl) }],
});

/**
 * Returns the lines of robots.txt that state the license: Content Signals and RSL. Of a
 * license that limits use, or that is an address, they say only that searches may find the pages.
 */
export function licenseLines(license: DataLicense, baseUrl: string): string[] {
  if (license.url === null) return [];
  if (!isOpenLicense(license)) return ['Content-Signal: search=yes'];
  return [
    'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
    '',
    `License: ${baseUrl}${LICENSE_PATH}`,
  ];
}

function rsl({ id, url }: DataLicense, baseUrl: string): string {
  const payment = CREDITED.test(id!) ? 'attribution' : 'free';
  const terms = escapeHtml(url!);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsl xmlns="https://rslstandard.org/rsl">
  <content url="${escapeHtml(baseUrl)}/">
    <license>
      <permits type="usage">search ai-index ai-input ai-train</permits>
      <payment type="${payment}"><standard>${terms}</standard></payment>
      <terms>${terms}</terms>
    </license>
  </content>
</rsl>
`;
}
