import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Keywords that the schemas leave out; some models refuse every tool for a `format`. */
const INPUT_OMITS = [
  'examples',
  'format',
  'maxItems',
  'maxLength',
  'minItems',
  'minLength',
  'pattern',
];
const OUTPUT_OMITS = [
  ...INPUT_OMITS,
  'additionalProperties',
  'default',
  'description',
  'maximum',
  'minimum',
  'propertyNames',
  'title',
];

/** Returns the JSON Schema of a tool's arguments, without some of them. */
export function inputSchema(schema: z.ZodType, without: ReadonlySet<string>): JsonSchema {
  const input = schemaWithout(INPUT_OMITS, schema, 'input');
  for (const name of without) delete input.properties?.[name];
  return input;
}

/**
 * Returns the JSON Schema of a tool's answers: names and types alone. A model may have the schemas
 * of every tool in its context all the time, so they leave out what data and descriptions show
 * anyway.
 */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return schemaWithout(OUTPUT_OMITS, schema, 'output');
}

function schemaWithout(
  omits: readonly string[],
  schema: z.ZodType,
  io: 'input' | 'output',
): JsonSchema {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      for (const keyword of omits) delete jsonSchema[keyword];
    },
  });
  return JSON.parse(JSON.stringify(whole), withoutTypeList) as JsonSchema;
}

/** Writes several types as `anyOf`: generators of types do not understand a list of types. */
function withoutTypeList(_key: string, value: JsonSchema | null): unknown {
  if (!Array.isArray(value?.type)) return value;
  const { type, ...rest } = value;
  return { anyOf: type.map((each) => ({ type: each })), ...rest };
}
