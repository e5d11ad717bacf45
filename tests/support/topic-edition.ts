import { FileStore } from '../../sidecar/edition/file-store.ts';
import { VerifiedFiles } from '../../sidecar/edition/verified-files.ts';
import type { TopicEdition } from '../../sidecar/hub/store/topics.ts';
import { strongETag } from '../../src/edition/etag.ts';
import type { Manifest } from '../../src/edition/manifest.ts';

export const SITE = 'https://reviews.example';

/** The topics of the small editions below. */
export const TOPICS = {
  atom: `${SITE}/feed.xml`,
  jsonFeed: `${SITE}/api/feed.json`,
  reviews: `${SITE}/reviews.json`,
};

const TYPES = {
  '/feed.xml': 'application/atom+xml',
  '/api/feed.json': 'application/json',
  '/reviews.json': 'application/json',
};

/** An edition that has only the topics, in memory; any text stands for its reviews. */
export function topicEdition(
  text: string,
  changes: { time?: string; only?: keyof typeof TYPES } = {},
): TopicEdition {
  const { time = '2026-01-01T00:00:00Z', only } = changes;
  const files = Object.entries(TYPES).map(([path, type]) => {
    const own = only === undefined || only === path ? text : '';
    return { path, type, file: path.slice(1), bytes: Buffer.from(`${type} ${own}\n`) };
  });
  const manifest: Manifest = {
    format: 1,
    edition: strongETag(text).slice(1, 17),
    base_url: SITE,
    last_modified: time,
    updated_at: time,
    since: null,
    names: {
      technicians: [],
      services: [],
      aspects: [],
      problems: [],
      service_areas: [],
      topics: [],
    },
    header_sets: [{}],
    resources: files.map(({ path, type, file, bytes }) => ({
      path,
      file,
      type,
      size: bytes.length,
      etag: strongETag(bytes),
      headers: 0,
      encodings: {},
    })),
  };
  const manifestBytes = Buffer.from(JSON.stringify(manifest));
  const store = new FileStore({ manifest, manifestBytes }, new VerifiedFiles('/nowhere'));
  for (const { file, bytes } of files) store.keep(file, bytes);
  return { digest: `${manifest.edition} ${time} ${only}`, manifest, files: store };
}
