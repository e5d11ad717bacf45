import { annotation, type Annotation } from '../schema/annotation.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import type { Reader } from './reader.ts';

const KINDS = ['technicians', 'services', 'service_areas', 'problems', 'topics'] as const;

/** An annotation with the place that messages name. */
export interface PlacedAnnotation extends Annotation {
  file: string;
  line: number;
}

/** Reads `annotations/*.jsonl`, if there are any; every id in them must exist. */
export async function readAnnotations(
  reader: Reader,
  reviews: readonly ReviewRecord[],
  vocabulary: Vocabulary | undefined,
): Promise<PlacedAnnotation[]> {
  const annotations: PlacedAnnotation[] = [];
  const known = new Set(reviews.map(({ id }) => id));
  for (const name of (await reader.list('annotations', '.jsonl')) ?? []) {
    const path = `annotations/${name}`;
    for (const { line, value } of await reader.jsonLines(path, annotation)) {
      if (!known.has(value.review_id)) {
        reader.issue(path, line, 'review_id', 'no review has this id', value.review_id);
      }
      if (vocabulary) checkIds(reader, path, line, value, vocabulary);
      annotations.push({ ...value, file: reader.shown(path), line });
    }
  }
  return annotations;
}

function checkIds(
  reader: Reader,
  path: string,
  line: number,
  value: Annotation,
  vocabulary: Vocabulary,
): void {
  const check = (kind: (typeof KINDS)[number] | 'aspects', ids: readonly string[]): void => {
    const entries = new Set(vocabulary[kind].map(({ id }) => id));
    ids.forEach((id, index) => {
      if (entries.has(id)) return;
      const reason = 'no entry of the vocabulary has this id';
      reader.issue(path, line, `${kind}.${index}`, reason, id);
    });
  };
  for (const kind of KINDS) check(kind, value[kind] ?? []);
  check('aspects', value.aspects?.map(({ id }) => id) ?? []);
}
