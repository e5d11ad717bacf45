import { TOPIC_PATHS } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import type { TopicFile } from './store/topics.ts';

/** What the hub reads of an edition. */
export type TopicEdition = Pick<Edition, 'id' | 'manifest' | 'files'>;

/** The topic URLs of a site. */
export function topicUrls({ manifest }: TopicEdition): string[] {
  return TOPIC_PATHS.map((path) => manifest.base_url + path);
}

/** The topics as an edition has them. @throws when one is absent */
export function topicFiles({ manifest, files }: TopicEdition): TopicFile[] {
  return TOPIC_PATHS.map((path) => {
    const prepared = files.get(path);
    if (!prepared) throw new Error(`the edition has no ${path}`);
    const { identity, resource } = prepared;
    return {
      url: manifest.base_url + path,
      etag: resource.etag,
      type: resource.type,
      size: resource.size,
      editionTime: Date.parse(manifest.last_modified),
      read: () => files.bytes(identity),
    };
  });
}
