import { annotation, ID_LISTS, type Annotation } from '../schema/annotation.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { unknownIds, type IssueIn } from './issue.ts';
import type { Reader } from './reader.ts';

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
      for (const { path: at, reason, value: id } of vocabulary
        ? unknownLabels(value, vocabulary)
        : [])
        reader.issue(path, line, at.join('.'), reason, id);
      annotations.push({ ...value, file: reader.shown(path), line });
    }
  }
  return annotations;
}

function unknownLabels(labels: Annotation, vocabulary: Vocabulary): IssueIn[] {
  const judged = labels.aspects?.map(({ id }) => id) ?? [];
  const lists = ID_LISTS.map((kind) => [kind, labels[kind] ?? []] as const);
  return [...lists, ['aspects', judged] as const].flatMap(([kind, ids]) =>
    unknownIds(
      vocabulary[kind],
      ids.map((id, index) => [[kind, index], id]),
    ),
  );
}
