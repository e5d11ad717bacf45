import { MANIFEST_FILE, type Manifest } from '../../edition/manifest.ts';
import { JSON_TYPE } from '../../paths.ts';

/** Files that are uploaded with the same headers. */
export interface UploadGroup {
  type: string;
  cacheControl: string;
  files: string[];
}

/** What an encoded file is where nobody negotiates: bytes, for a sidecar that fetches them. */
const ENCODED_TYPE = 'application/octet-stream';

/** Everything of an edition, edition.json last and never from a cache. */
export function uploadGroups({ resources, header_sets: headerSets }: Manifest): UploadGroup[] {
  const groups = new Map<string, UploadGroup>();
  const add = (file: string, type: string, cacheControl: string): void => {
    const key = JSON.stringify([type, cacheControl]);
    const group = groups.get(key) ?? { type, cacheControl, files: [] };
    groups.set(key, group);
    group.files.push(file);
  };
  for (const { file, type, headers, encodings } of resources) {
    const cacheControl = headerSets[headers]!['cache-control']!;
    add(file, type, cacheControl);
    for (const variant of Object.values(encodings)) add(variant.file, ENCODED_TYPE, cacheControl);
  }
  const last = { type: JSON_TYPE, cacheControl: 'no-cache', files: [MANIFEST_FILE] };
  return [...groups.values(), last];
}
