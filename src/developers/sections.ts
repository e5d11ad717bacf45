import { operationsOf } from '../resources/catalogue.ts';
import type { Source } from '../resources/source.ts';
import { TAGS, type Tag } from '../resources/operation.ts';
import { DATA_MODEL_PATH, DEVELOPERS_PATH, developersPath } from '../paths.ts';

/** The pages for developers: a page for each section of the OpenAPI document. */
export function sectionsOf(
  source: Pick<Source, 'sidecar'>,
): (readonly [path: string, label: string])[] {
  return [
    [DEVELOPERS_PATH, 'Overview'],
    ...tagsOf(source).map((tag) => [developersPath(tag), tag] as const),
    [DATA_MODEL_PATH, 'Data model'],
  ];
}

export function tagsOf(source: Pick<Source, 'sidecar'>): Tag[] {
  const tags = new Set(operationsOf(source).map(({ tag }) => tag));
  return (Object.keys(TAGS) as Tag[]).filter((tag) => tags.has(tag));
}
