import { strongETag } from '../../src/edition/etag.ts';
import { JSON_TYPE, SEARCH_PATH, TOPIC_PATHS } from '../../src/paths.ts';
import type { SearchFilters } from '../../src/schema/search.ts';
import { Lru } from '../../src/search/lru.ts';
import { parseSearchParameters } from '../../src/search/parameters.ts';
import { searchAnswer } from '../../src/search/result.ts';
import type { Edition } from '../edition/edition.ts';
import type { TopicFile } from './store/topics.ts';

/** The parts of an edition that the hub uses. */
export type TopicEdition = Pick<Edition, 'digest' | 'manifest' | 'files' | 'search'>;

/** Longest URL of a topic; PostgreSQL indexes no more than 2,700 bytes. */
const URL_LENGTH = 2048;

/** Searches that are topics, at most. */
export const SEARCH_TOPICS = 500;

/** The topics of an edition, which never changes: its files, and answers to searches by URL. */
const known = new WeakMap<
  TopicEdition['files'],
  { files: TopicFile[]; answers: Lru<TopicFile | undefined> }
>();

function topicsOf(edition: TopicEdition) {
  let topics = known.get(edition.files);
  if (!topics) {
    topics = { files: findFiles(edition), answers: new Lru(SEARCH_TOPICS) };
    known.set(edition.files, topics);
  }
  return topics;
}

/** Returns the topics of an edition that are files; an older version built none of the changes. */
export function topicFiles(edition: TopicEdition): readonly TopicFile[] {
  return topicsOf(edition).files;
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
      size: resource.size,
      editionTime: Date.parse(manifest.last_modified),
      read: () => files.bytes(identity),
    };
  });
}

/** Returns the content of a topic in an edition; undefined if it has no such topic. */
export function topicFile(edition: TopicEdition, url: string): TopicFile | undefined {
  if (!url.startsWith(searchPrefix(edition.manifest.base_url))) {
    return topicFiles(edition).find((file) => file.url === url);
  }
  return topicsOf(edition).answers.get(url, () => searchFile(edition, url));
}

function searchFile({ manifest, search }: TopicEdition, url: string): TopicFile | undefined {
  const filters = topicFilters(url);
  if (!filters) return undefined;
  const answer = () => Buffer.from(searchAnswer(search.lines, filters, search.search(filters), []));
  const body = answer();
  return {
    url,
    etag: strongETag(body),
    type: JSON_TYPE,
    size: body.length,
    editionTime: Date.parse(manifest.last_modified),
    read: async () => answer(),
  };
}

/** Returns what the URLs of all searches begin with. */
export function searchPrefix(baseUrl: string): string {
  return baseUrl + SEARCH_PATH;
}

/** Returns true if a URL, as the URL standard writes it, is that of a search that can be a topic. */
export function isSearchTopic(url: string, baseUrl: string): boolean {
  const [address] = url.split('?');
  return (
    address === searchPrefix(baseUrl) &&
    url.length <= URL_LENGTH &&
    !url.includes('#') &&
    URL.parse(url)?.href === url &&
    topicFilters(url) !== undefined
  );
}

/** Returns the filters of a search; none if a parameter is invalid or unknown, or names a page. */
function topicFilters(url: string): SearchFilters | undefined {
  const parsed = parseSearchParameters(new URL(url).searchParams);
  if ('issues' in parsed || parsed.ignored.length > 0) return undefined;
  return parsed.filters.cursor === undefined ? parsed.filters : undefined;
}
