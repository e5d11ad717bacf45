import { isJsonObject } from './rows.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a document of JSON:API (https://jsonapi.org/format/#document-compound-documents) whose objects
 * have what they name in their relationships, which lies beside them in `included`; others as they are.
 */
export function withIncluded(document: Json): Json {
  const { data, included } = document;
  if (!areObjects(data) || !areObjects(included)) return document;
  const keyOf = ({ type, id }: Json) => JSON.stringify([type, id]);
  const known = new Map(included.map((each) => [keyOf(each), each.attributes]));
  const joined = data.map((object) => {
    const { relationships = {} } = object;
    const related = Object.entries(relationships as Json).map(([name, relation]) => {
      const named = isJsonObject(relation) ? [relation.data].flat().filter(isJsonObject) : [];
      return [name, named.map((each) => known.get(keyOf(each)))[0]] as const;
    });
    return { ...object, ...Object.fromEntries(related), relationships: undefined };
  });
  return { ...document, data: joined, included: undefined };
}

const areObjects = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.every(isJsonObject);
