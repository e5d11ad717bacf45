import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** What a client checks arguments with. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return pruned(z.toJSONSchema(schema, { io: 'input' }), INPUT_OMITS);
}

/**
 * What a client checks an answer with. Names and types alone: a model may have every tool's schemas
 * before it all the time, so what the data or the description say anyway is left out.
 */
export function outputSchema(schema: z.ZodType): JsonSchema {
  const whole = z.toJSONSchema(schema, { io: 'output' });
  return { ...pruned(whole, OUTPUT_OMITS), required: whole.required };
}

/** `format` says it more briefly than zod's patterns. */
const INPUT_OMITS = new Set(['$schema', 'examples', 'pattern']);
const OUTPUT_OMITS = new Set([
  ...INPUT_OMITS,
  'additionalProperties',
  'default',
  'description',
  'format',
  'maxLength',
  'maximum',
  'minLength',
  'minimum',
  'required',
  'title',
]);

function pruned(schema: JsonSchema, omits: ReadonlySet<string>): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => !omits.has(key));
  return nullable(Object.fromEntries(kept.map(([key, value]) => [key, prune(key, value, omits)])));
}

/** Below `properties` the keys are names of members, whatever they are called. */
function prune(key: string, value: unknown, omits: ReadonlySet<string>): unknown {
  if (key === 'properties') {
    const members = Object.entries(value as Record<string, JsonSchema>);
    return Object.fromEntries(members.map(([name, member]) => [name, pruned(member, omits)]));
  }
  if (key === 'items') return pruned(value as JsonSchema, omits);
  if (key === 'anyOf') return (value as JsonSchema[]).map((each) => pruned(each, omits));
  return value;
}

/** `string or null`, in a third of the bytes. */
function nullable(schema: JsonSchema): JsonSchema {
  const choices = schema.anyOf as JsonSchema[] | undefined;
  if (choices?.length !== 2 || choices[1]!.type !== 'null') return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...rest, ...choices[0], type: [choices[0]!.type, 'null'] };
}
