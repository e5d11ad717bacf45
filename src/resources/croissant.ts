import { sha256 } from '../edition/etag.ts';
import { CSV_TYPE, NDJSON_TYPE } from '../paths.ts';
import { documentResource, indentedJson, type DocumentResource } from './resource.ts';
import { CSV, CSV_COLUMNS } from './reviews-csv.ts';
import { NDJSON } from './reviews.ts';
import type { Source } from './source.ts';

export const CROISSANT = documentResource({
  id: 'getCroissant',
  path: '/croissant.json',
  tag: 'Reviews',
  title: 'The dataset as Croissant 1.1 describes it',
  description:
    'JSON-LD for tools of machine learning: license, files with SHA-256 and size, and each column of reviews.csv with its type.',
  type: 'application/ld+json',
  build: (source) => indentedJson(croissant(source)),
});

/** The terms that this document uses, as the specification maps them. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  isLiveDataset: 'cr:isLiveDataset',
  key: 'cr:key',
  recordSet: 'cr:recordSet',
  source: 'cr:source',
};

const TYPES: Readonly<Record<string, string>> = {
  rating: 'sc:Integer',
  date: 'sc:Date',
  reply_date: 'sc:Date',
  updated_at: 'sc:DateTime',
  url: 'sc:URL',
  source_url: 'sc:URL',
  author_avatar_url: 'sc:URL',
};

const TABLE = 'reviews-csv';

/** Describes the dataset (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html). */
function croissant(source: Source): object {
  const { baseUrl, dataset } = source;
  const { business, coverage, edition, license, updated_at } = dataset;
  const name = `Customer reviews of ${business.name}`;
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    '@id': `${baseUrl}/#dataset`,
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    name,
    description: `${coverage.published} of ${coverage.known} known customer reviews, newest first.`,
    url: `${baseUrl}/`,
    license: license.url ?? license.terms,
    creator: { '@type': 'sc:Organization', name: business.name, url: business.url ?? undefined },
    citeAs: `${name}, edition ${edition}, ${baseUrl}/`,
    version: edition,
    datePublished: updated_at,
    dateModified: updated_at,
    isLiveDataset: true,
    distribution: [
      fileObject(TABLE, CSV, CSV_TYPE, source),
      fileObject('reviews-ndjson', NDJSON, NDJSON_TYPE, source),
    ],
    recordSet: [
      {
        '@type': 'cr:RecordSet',
        '@id': 'reviews',
        name: 'reviews',
        key: { '@id': 'reviews/id' },
        field: Object.entries(CSV_COLUMNS).map(([column, [meaning]]) => ({
          '@type': 'cr:Field',
          '@id': `reviews/${column}`,
          name: column,
          description: meaning,
          dataType: TYPES[column] ?? 'sc:Text',
          source: { fileObject: { '@id': TABLE }, extract: { column } },
        })),
      },
    ],
  };
}

function fileObject(id: string, file: DocumentResource, type: string, source: Source): object {
  const bytes = Buffer.from(file.build!(source, []));
  return {
    '@type': 'cr:FileObject',
    '@id': id,
    name: file.path.slice(1),
    description: file.title,
    contentUrl: source.baseUrl + file.path,
    contentSize: `${bytes.length} B`,
    encodingFormat: type.split(';')[0],
    sha256: Buffer.from(sha256(bytes), 'base64url').toString('hex'),
  };
}
