import type { DataLicense } from '../schema/license.ts';
import { escapeHtml } from './feed.ts';
import { documentResource } from './resource.ts';

const LICENSE_PATH = '/license.xml';

/** Licenses that let everyone use the data for everything, if they credit it or share alike. */
const OPEN = /^(CC0|CC-BY-4|CC-BY-SA|ODbL|ODC-By|PDDL)/;
/** Those of them that ask for credit. */
const CREDITED = /BY|By|ODbL/;

export const LICENSE = documentResource({
  id: 'getLicense',
  path: LICENSE_PATH,
  type: 'application/rsl+xml',
  tag: 'Service',
  title: 'The license of the data, for crawlers',
  description: 'Really Simple Licensing 1.0; only of a site whose data has a license.',
  isOptional: true,
  instances: ({ baseUrl, dataset: { license } }) =>
    license.url === null ? [] : [{ path: LICENSE_PATH, build: () => rsl(license, baseUrl) }],
});

/** Returns the lines of robots.txt that state the license: Content Signals, AIPREF (IETF) and RSL. */
export function licenseLines({ id, url }: DataLicense, baseUrl: string): string[] {
  if (url === null) return [];
  const [signal, usage] = isOpen(id) ? [', ai-train=yes', ', train-ai=y'] : ['', ''];
  return [
    `Content-Signal: search=yes, ai-input=yes${signal}`,
    `Content-Usage: search=y${usage}`,
    '',
    `License: ${baseUrl}${LICENSE_PATH}`,
  ];
}

/** Returns the license as RSL: of a license that limits use, training is neither permitted nor denied. */
function rsl({ id, url }: DataLicense, baseUrl: string): string {
  const uses = ['search', 'ai-index', 'ai-input', ...(isOpen(id) ? ['ai-train'] : [])];
  const payment = id !== null && CREDITED.test(id) ? 'attribution' : 'free';
  const terms = escapeHtml(url!);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsl xmlns="https://rslstandard.org/rsl">
  <content url="${escapeHtml(baseUrl)}/">
    <license>
      <permits type="usage">${uses.join(' ')}</permits>
      <payment type="${payment}"><standard>${terms}</standard></payment>
      <terms>${terms}</terms>
    </license>
  </content>
</rsl>
`;
}

function isOpen(id: string | null): boolean {
  return id !== null && OPEN.test(id);
}
