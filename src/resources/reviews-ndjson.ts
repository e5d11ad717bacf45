import { ndjson } from '../dataset/document.ts';
import { NDJSON_PATH, NDJSON_TYPE } from '../paths.ts';
import { documentResource } from './resource.ts';

export const NDJSON = documentResource({
  id: 'getReviewsNdjson',
  path: NDJSON_PATH,
  type: NDJSON_TYPE,
  tag: 'Reviews',
  title: 'The reviews, one a line',
  description:
    'Newline-delimited JSON: the same records as in reviews.json, in the same order, to read one at a time. npm run import takes it.',
  answer: 'A Review on each line.',
  build: ({ lines }) => [...ndjson(lines)].join(''),
});
