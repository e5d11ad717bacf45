import { firstIndex } from '../base/first-index.ts';
import { sinceBody, sinceWindow } from '../dataset/since.ts';
import { SINCE_PATH } from '../paths.ts';
import { sinceResult } from '../schema/dataset.ts';
import { jsonExample } from './examples.ts';
import { INVALID } from './openapi/answers.ts';
import { DAY, documentResource, type Instance } from './resource.ts';
import type { Source } from './source.ts';

export const SINCE = documentResource({
  id: 'getReviewsSince',
  path: `${SINCE_PATH}/{date}`,
  tag: 'Reviews',
  title: 'The reviews since a day',
  description:
    'Every review on or after a day, newest first. Its ETag changes only when this listing does, so polling is cheap.',
  parameters: { date: DAY },
  isOptional: false,
  schemas: { 'since-result': sinceResult },
  answer: 'The listing; empty after the newest review.',
  answers: { 400: INVALID },
  instances: listings(''),
  examples: (source) => {
    const { reviews, coverage } = source.dataset;
    const day = reviews[2]?.date ?? coverage.latest ?? DAY.example;
    const body: unknown = JSON.parse(listing(source, day).toString());
    return [jsonExample(source, `${SINCE_PATH}/${day}`, body, 'From a day on')];
  },
});

/** The same on a site of files alone: hosts tell the type of a file by the end of its name. */
export const SINCE_FILE = documentResource({
  id: SINCE.id,
  path: `${SINCE.path}.json`,
  tag: SINCE.tag,
  title: 'The reviews since a day, as a file',
  description: `${SINCE.description} edition.json says which days have one; each is also there without .json.`,
  parameters: { date: DAY },
  schemas: SINCE.schemas!,
  instances: listings('.json'),
  example: 'Abridged',
});

function listings(end: string) {
  return (source: Source): Instance[] =>
    sinceWindow(source).map((day) => ({
      path: `${SINCE_PATH}/${day}${end}`,
      build: (own) => listing(own, day),
    }));
}

function listing({ lines, dataset }: Source, day: string): Buffer {
  const { reviews } = dataset;
  const count = firstIndex(reviews.length, (index) => reviews[index]!.date < day);
  return Buffer.concat(sinceBody(lines, count, day));
}
