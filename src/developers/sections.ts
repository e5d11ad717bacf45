import { TAGS, type Tag } from '../resources/operation.ts';
import { DATA_MODEL_PATH, DEVELOPERS_PATH, developersPath } from '../paths.ts';

/** The pages for developers: a page for each section of the OpenAPI document. */
export const SECTIONS: readonly (readonly [path: string, label: string])[] = [
  [DEVELOPERS_PATH, 'Overview'],
  ...(Object.keys(TAGS) as Tag[]).map((tag) => [developersPath(tag), tag] as const),
  [DATA_MODEL_PATH, 'Data model'],
];
