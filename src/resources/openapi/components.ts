import { z } from 'zod';
import { errorBody, issue } from '../../schema/error.ts';
import { componentName, type CatalogueEntry } from '../operation.ts';

const jsonObject = z.record(z.string(), z.unknown()).meta({ title: 'JSON object' });

/** Schemas that all endpoints share. */
const SHARED = { Error: errorBody, Issue: issue, JsonObject: jsonObject };

export type JsonSchema = z.core.JSONSchema.JSONSchema;
/** By name in the OpenAPI document. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/components/schemas/';

export function schemaRef(name: string): { $ref: string } {
  return { $ref: PREFIX + name };
}

/** Returns the name in a reference made by {@link schemaRef}; undefined for other schemas. */
export function referencedName({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
}

/** Returns the JSON Schema (2020-12) of everything named, with references to each other. */
export function componentSchemas(endpoints: readonly CatalogueEntry[]): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const { schemas = {}, parts = {} } of endpoints) {
    for (const [name, schema] of Object.entries(schemas)) {
      registry.add(schema, { id: componentName(name) });
    }
    for (const [id, schema] of Object.entries(parts)) registry.add(schema, { id });
  }
  for (const [id, schema] of Object.entries(SHARED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => PREFIX + id,
    override: ({ jsonSchema }) => loosen(jsonSchema),
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas;
}

/** Allows additional fields and elements, because a version may add some. */
function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.items === false) {
    schema.items = {};
    delete schema.maxItems;
  }
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
