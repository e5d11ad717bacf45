import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EMBED_PATH } from '../../src/paths.ts';
import { manifest, MANIFEST_FILE } from '../../src/edition/manifest.ts';

/** A page of an edition as served. */
export interface PublishedPage {
  /** Its address, e.g. `/faq/`. */
  path: string;
  html: string;
}

/** Returns every page of an edition; frames are parts of other sites (tests/browser/embed.test.ts). */
export async function readPages(client: string): Promise<PublishedPage[]> {
  const { resources } = await readManifest(client);
  const pages = resources.filter(
    ({ path, type }) => type.startsWith('text/html') && !path.startsWith(EMBED_PATH),
  );
  if (pages.length < 10) throw new Error(`${client} has ${pages.length} pages`);
  return Promise.all(
    pages.map(async ({ path, file }) => ({
      path,
      html: await readFile(join(client, file), 'utf8'),
    })),
  );
}

export async function readManifest(client: string) {
  return manifest.parse(JSON.parse(await readFile(join(client, MANIFEST_FILE), 'utf8')));
}

const TEMPLATES = [
  '/',
  '/404.html',
  '/developers/',
  '/developers/[section]/',
  '/faq/',
  '/insights/',
  '/insights/[aspect]/',
  '/method/',
  '/method/check/',
  '/policy/',
  '/reviews/',
  '/reviews/[month]/',
  '/reviews/[id]/',
  '/services/[id]/',
  '/technicians/[id]/',
];

/** Returns the template of a page: its path with the dynamic parts in brackets. */
function templateOf(path: string): string | undefined {
  return TEMPLATES.find((template) =>
    new RegExp(
      `^${template
        .replaceAll('.', '\\.')
        .replace('[month]', String.raw`\d{4}-\d\d(/\d+)?`)
        .replace(/\[[a-z]+\]/, '[^/]+')}$`,
    ).test(path),
  );
}

/** Returns the longest page of every template, because most can go wrong on it. */
export async function pageOfEachTemplate(client: string): Promise<PublishedPage[]> {
  const byTemplate = Map.groupBy(await readPages(client), ({ path }) => templateOf(path));
  return TEMPLATES.map((template) => {
    const pages = byTemplate.get(template);
    if (!pages) throw new Error(`the edition has no page of ${template}`);
    return pages.reduce((longest, page) =>
      page.html.length > longest.html.length ? page : longest,
    );
  });
}

/** Returns the values of an attribute, in page order, with `&amp;` decoded. */
export function attributeValues(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value!.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
  );
}

/** Returns where the elements of a page or of a text in XML lead to or load from. */
export function linksIn(text: string): string[] {
  return ['href', 'src', 'action'].flatMap((name) => attributeValues(text, name));
}

/** Returns the parsed structured data of a page. */
export function structuredData(html: string): Record<string, unknown>[] {
  const blocks = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...blocks].map(([, json]) => JSON.parse(json!) as Record<string, unknown>);
}

/** Returns the node of a type in the structured data of a page. */
export function nodeOf(html: string, type: string): Record<string, unknown> {
  return structuredData(html).find((node) => node['@type'] === type)!;
}

/** Words of a page that counts where there is nothing to count. */
export const MEANINGLESS = /null|undefined|NaN|Infinity|\b0 reviews|\b0 of 5|\b0%/;

/** Returns the text of a page, without markup. */
export function visibleText(html: string): string {
  return html
    .replace(/^.*<body/s, '<body')
    .replace(/<(script|style|svg).*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}
