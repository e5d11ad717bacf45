import { variantETag } from '../edition/etag.ts';
import type { Encoding, Manifest } from '../edition/manifest.ts';

/** The two files that `sidecar/deploy/nginx.conf` includes, generated for one edition. */
interface NginxFiles {
  /** In `http`: from an address to the file that answers it, and its ETag. */
  maps: string;
  /** In `server`: for each set of headers that files share, the location that sends it. */
  locations: string;
}

/** A resource in nginx's terms. */
interface Entry {
  /** Path as nginx compares it: decoded. */
  uri: string;
  /** Location and file. */
  target: string;
  etag: string;
  variants: Partial<Record<Encoding, { target: string; etag: string }>>;
}

/**
 * @param root the edition's folder on the server; not a link that is switched later, so that maps
 *   and files are of one edition until nginx reloads
 * @throws when a name or header cannot be written in a configuration of nginx
 */
export function nginxFiles(manifest: Manifest, root: string): NginxFiles {
  const locations = new Map<string, string>();
  const entries = manifest.resources.map((resource): Entry => {
    const { type, headers, encodings, etag } = resource;
    const varies = Object.keys(encodings).length > 0;
    const key = JSON.stringify([type, headers, varies]);
    const name = `/@${[...locations.keys(), key].indexOf(key)}`;
    if (!locations.has(key)) {
      const stated = {
        ...(varies && { vary: 'Accept-Encoding' }),
        ...manifest.header_sets[headers]!,
      };
      locations.set(key, location(name, type, stated, lastModified(manifest), root));
    }
    const variants: Entry['variants'] = {};
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      const { file } = encodings[encoding]!;
      variants[encoding] = { target: `${name}/${file}`, etag: variantETag(etag, encoding) };
    }
    const uri = decodeURIComponent(resource.path);
    return { uri, target: `${name}/${resource.file}`, etag, variants };
  });
  return { maps: maps(entries), locations: [...locations.values()].join('\n') };
}

function lastModified({ last_modified: time }: Manifest): string {
  return new Date(time).toUTCString();
}

function maps(entries: readonly Entry[]): string {
  const lines: Record<'plain' | 'gzip' | 'br' | 'etag', string[]> = {
    plain: [],
    gzip: [],
    br: [],
    etag: [],
  };
  for (const { uri, target, etag, variants } of entries) {
    lines.plain.push(`${quoted(uri)} ${quoted(target)};`);
    lines.etag.push(`${quoted(target)} ${quoted(etag)};`);
    for (const encoding of ['gzip', 'br'] as const) {
      const variant = variants[encoding];
      if (!variant) continue;
      lines[encoding].push(`${quoted(`1 ${uri}`)} ${quoted(variant.target)};`);
      lines.etag.push(`${quoted(variant.target)} ${quoted(variant.etag)};`);
    }
  }
  const size = 2 ** Math.ceil(Math.log2(Math.max(lines.etag.length, 1024) * 2));
  return [
    `map_hash_max_size ${size};`,
    'map_hash_bucket_size 256;',
    map('$uri', '$edition_plain', '""', lines.plain),
    map('"$accepts_gzip $uri"', '$edition_gzip', '$edition_plain', lines.gzip),
    map('"$accepts_br $uri"', '$edition_target', '$edition_gzip', lines.br),
    map('$edition_target', '$edition_etag', '""', lines.etag),
    '',
  ].join('\n');
}

function map(source: string, variable: string, fallback: string, lines: readonly string[]): string {
  return [`map ${source} ${variable} {`, `  default ${fallback};`, ...lines, '}'].join('\n');
}

function location(
  name: string,
  type: string,
  headers: Readonly<Record<string, string>>,
  modified: string,
  root: string,
): string {
  const stated = { ...headers, 'last-modified': modified };
  return [
    `location ${name}/ {`,
    '  internal;',
    '  if ($edition_unchanged) { return 304; }',
    `  rewrite ^${name}(/.*)$ $1 break;`,
    `  root ${quoted(root)};`,
    '  types { }',
    `  default_type ${quoted(type)};`,
    '  add_header etag $edition_etag;',
    '  add_header content-encoding $edition_encoding;',
    '  add_header x-request-id $named_request;',
    '  add_header strict-transport-security $strict_transport;',
    ...Object.entries(stated).map(([header, value]) => `  add_header ${header} ${quoted(value)};`),
    '}',
  ].join('\n');
}

/** A string of nginx's configuration, where `$` would begin a variable. */
function quoted(text: string): string {
  if (/[$\n\r\0]/.test(text))
    throw new Error(`nginx cannot serve the path ${JSON.stringify(text)}`);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
