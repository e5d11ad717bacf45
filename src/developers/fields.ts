import { referencedName, type JsonSchema } from '../resources/openapi/components.ts';

/** One field of a document, as a row of a table. */
export interface FieldRow {
  /** Dotted for nested objects, with `[]` after a list. */
  path: string;
  type: FieldType;
  required: boolean;
  description: string;
}

/** A type in words, with the name of another schema if it refers to one. */
interface FieldType {
  before: string;
  name?: string;
  after: string;
}

/** Returns the fields of an object schema, including those of unnamed objects inside it. */
export function fieldRows(schema: JsonSchema, prefix = ''): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const field = property as JsonSchema;
    const path = prefix + key;
    const row = {
      path,
      type: fieldType(field),
      required: schema.required?.includes(key) ?? false,
      description: field.description ?? '',
    };
    return [row, ...innerRows(field, path)];
  });
}

function innerRows(field: JsonSchema, path: string): FieldRow[] {
  const whole = withoutNull(field).schema;
  if (whole.properties) return fieldRows(whole, `${path}.`);
  if (isSchema(whole.items)) return innerRows(whole.items, `${path}[]`);
  return [];
}

/** Describes a type: `integer, 1 to 5`, `list of Review`, `string (date) or null`. */
export function fieldType(field: JsonSchema): FieldType {
  const { schema, nullable } = withoutNull(field);
  const end = nullable ? ' or null' : '';
  const name = referencedName(schema);
  if (name) return { before: '', name, after: end };
  if (isSchema(schema.items)) {
    const item = fieldType(schema.items);
    return { ...item, before: `list of ${item.before}`, after: item.after + end };
  }
  if (isSchema(schema.additionalProperties) && isSchema(schema.propertyNames)) {
    if (Object.keys(schema.additionalProperties).length === 0)
      return { before: 'object', after: end };
    const entry = fieldType(schema.additionalProperties);
    return { ...entry, before: `by id: ${entry.before}`, after: entry.after + end };
  }
  return { before: plainType(schema), after: end };
}

function plainType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  const alternatives = schema.anyOf?.filter(isSchema).map(plainType);
  const type = alternatives?.join(' or ') ?? [schema.type ?? 'any'].flat().join(' or ');
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`;
  return schema.format ? `${type} (${schema.format})` : type;
}

function withoutNull(field: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  if (Array.isArray(field.type)) {
    const [type, ...others] = field.type.filter((each) => each !== 'null');
    if (others.length === 0) return { schema: { ...field, type: type! }, nullable: true };
  }
  const alternatives = field.anyOf?.filter(isSchema) ?? [];
  const [only, ...others] = alternatives.filter(({ type }) => type !== 'null');
  return only && others.length === 0 && alternatives.length > 1
    ? { schema: only, nullable: true }
    : { schema: field, nullable: false };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
