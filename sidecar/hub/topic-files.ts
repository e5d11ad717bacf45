import { TOPIC_PATHS } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import type { TopicFile } from './store/topics.ts';

/** The parts of an edition that the hub uses. */
export type TopicEdition = Pick<Edition, 'digest' | 'manifest' | 'files'>;

/** The topics of an edition, which never changes. */
const known = new WeakMap<TopicEdition['files'], readonly TopicFile[]>();

/** Returns the topics of an edition; an older version built none of the changes. */
export function topicFiles(edition: TopicEdition): readonly TopicFile[] {
  let files = known.get(edition.files);
  if (!files) {
    files = findFiles(edition);
    known.set(edition.files, files);
  }
  return files;
}

function findFiles({ manifest, files }: TopicEdition): TopicFile[] {
  return TOPIC_PATHS.flatMap((path) => {
    const prepared = files.get(path);
    if (!prepared) return [];
    const { identity, resource } = prepared;
    return {
      url: manifest.base_url + path,
      etag: resource.etag,
      type: resource.type,
      editionTime: Date.parse(manifest.last_modified),
      read: () => files.bytes(identity),
    };
  });
}
