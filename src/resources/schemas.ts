import { z } from 'zod';
import { schemaPath } from '../paths.ts';
import { businessRecord } from '../schema/business.ts';
import { errorBody } from '../schema/error.ts';
import { faqFrontMatter } from '../schema/faq.ts';
import { journalEntry } from '../schema/journal.ts';
import { reviewRecord } from '../schema/review.ts';
import { trade } from '../schema/trade.ts';
import { lexicon, vocabularyFiles } from '../schema/vocabulary.ts';
import { documentResource, indentedJson, type Instance } from './resource.ts';

export const SCHEMAS = documentResource({
  id: 'getSchema',
  path: schemaPath('{name}'),
  tag: 'Service',
  title: 'The JSON Schema of a document',
  description: 'JSON Schema 2020-12 of published documents and of files of a dataset.',
  parameters: {
    name: {
      description: 'Name of the document, e.g. search-result.',
      schema: { type: 'string' },
      example: 'reviews-dataset',
    },
  },
  answer: 'The schema; its $id is its address.',
  instances: ({ baseUrl }, operations) => {
    const published = operations.flatMap(({ schemas = {} }) => Object.entries(schemas));
    return [
      ...toDocuments(Object.entries(WRITTEN), 'input', baseUrl),
      ...toDocuments([['error', errorBody], ...published], 'output', baseUrl),
    ];
  },
});

/** Files of content/, which editors complete and check with these schemas. */
const WRITTEN: Record<string, z.ZodType> = {
  business: businessRecord,
  'faq-front-matter': faqFrontMatter,
  'journal-entry': journalEntry,
  lexicon,
  'review-record': reviewRecord,
  trade,
  ...vocabularyFiles,
};

function toDocuments(
  schemas: readonly (readonly [name: string, z.ZodType])[],
  io: 'input' | 'output',
  baseUrl: string,
): Instance[] {
  return schemas.map(([name, shape]) => {
    const path = schemaPath(name);
    return {
      path,
      build: () => {
        const { $schema, ...rest } = z.toJSONSchema(shape, { io });
        return indentedJson({ $schema, $id: baseUrl + path, ...rest });
      },
    };
  });
}
