import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/**
 * Returns the JSON Schema of a tool's arguments.
 *
 * @param described arguments that another tool describes
 */
export function inputSchema(
  schema: z.ZodType,
  described: Readonly<Record<string, unknown>> = {},
): JsonSchema {
  const input = pruned(z.toJSONSchema(schema, { io: 'input' }), INPUT_OMITS);
  for (const [name, member] of Object.entries(input.properties as Record<string, JsonSchema>)) {
    if (Object.hasOwn(described, name)) delete member.description;
  }
  return input;
}

/**
 * Returns the JSON Schema of a tool's answers: names and types alone. A model may have the schemas
 * of every tool in its context all the time, so they leave out what data and descriptions show
 * anyway.
 */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return pruned(z.toJSONSchema(schema, { io: 'output' }), OUTPUT_OMITS);
}

/** `format` is shorter than zod's patterns. */
const INPUT_OMITS = new Set([
  '$schema',
  'examples',
  'maxItems',
  'maxLength',
  'minItems',
  'minLength',
  'pattern',
]);
const OUTPUT_OMITS = new Set([
  ...INPUT_OMITS,
  'additionalProperties',
  'default',
  'description',
  'format',
  'maximum',
  'minimum',
  'propertyNames',
  'title',
]);

function pruned(schema: JsonSchema, omits: ReadonlySet<string>): JsonSchema {
  const kept = Object.entries(withoutTypeLists(schema)).filter(([key]) => !omits.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, prune(key, value, omits)]));
}

/** Prunes below a keyword. The keys of `properties` are names of members and stay. */
function prune(key: string, value: unknown, omits: ReadonlySet<string>): unknown {
  if (key === 'properties') {
    const members = Object.entries(value as Record<string, JsonSchema>);
    return Object.fromEntries(members.map(([name, member]) => [name, pruned(member, omits)]));
  }
  if (key === 'items') return pruned(value as JsonSchema, omits);
  if (key === 'anyOf') return (value as JsonSchema[]).map((each) => pruned(each, omits));
  return value;
}

/** Writes several types as `anyOf`: generators of types do not understand a list of types. */
function withoutTypeLists({ type, ...rest }: JsonSchema): JsonSchema {
  if (Array.isArray(type)) return { anyOf: type.map((each) => ({ type: each })), ...rest };
  return type === undefined ? rest : { type, ...rest };
}
