import { INTERFACE_VERSION } from '../schema/dataset.ts';
import type { Business } from '../schema/business.ts';
import { oneLine } from '../schema/invisible.ts';

/** Limits of the registry (its server.schema.json, 2025-12-11) and of server cards (SEP-2127). */
const TITLE_MAX = 100;
const DESCRIPTION_MAX = 100;

/** Longest name in a description that is sent with every tool. */
const NAME_MAX = 60;

/**
 * Returns how the MCP server names itself: in serverInfo, in server.json and in its card. Servers
 * of two businesses differ in name and title.
 */
export function mcpIdentity(
  { name, logo_url: logo }: Pick<Business, 'name' | 'logo_url'>,
  baseUrl: string,
) {
  const { hostname, port } = new URL(baseUrl);
  const icon = { src: `${baseUrl}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] };
  return {
    // The reversed host, whose ownership can be proven to the registry, and a word.
    name: `${reversed(hostname)}/reviews${port && `-${port}`}`,
    title: cut(`Reviews of ${oneLine(name)}`, TITLE_MAX),
    description: cut(
      `Customer reviews of ${oneLine(name)}, searchable, with insights.`,
      DESCRIPTION_MAX,
    ),
    version: INTERFACE_VERSION,
    websiteUrl: `${baseUrl}/`,
    icons: [logo === null ? icon : { src: logo }],
  };
}

/** Returns the name of a business as it fits into a sentence. */
export function shortName({ name }: Pick<Business, 'name'>): string {
  return cut(oneLine(name), NAME_MAX);
}

/**
 * Reverses a host name, keeping letters, digits, dots and hyphens (not brackets and colons of an
 * IPv6 address).
 */
function reversed(hostname: string): string {
  return hostname
    .replace(/[^a-z0-9.-]/g, '-')
    .split('.')
    .toReversed()
    .join('.');
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}…`;
}
