import { schemaRef, type JsonSchema, type Schemas } from './components.ts';
import { type BodyExample, bodyExamples } from '../examples.ts';
import type { ContentSpec, Operation, ResponseSpec } from '../operation.ts';
import type { Source } from '../source.ts';

/** Describes a path with its methods; HEAD and OPTIONS are the same for all, so the introduction has them. */
export function pathItem(operations: readonly Operation[], schemas: Schemas, source: Source) {
  const [first] = operations as [Operation];
  return {
    ...parametersOf(first, schemas),
    ...Object.fromEntries(
      operations.map((operation) => [
        operation.method,
        describe(operation, bodyExamples(operation, source)),
      ]),
    ),
  };
}

function describe(operation: Operation, examples: readonly BodyExample[]) {
  const { id, tag, title, description, headers = [], body, answers } = operation;
  const withStatus = (status: string | undefined) =>
    examples.filter((example) => example.status?.toString() === status);
  return {
    operationId: id,
    tags: [tag],
    summary: title,
    description,
    ...(headers.length > 0 && {
      parameters: headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    }),
    ...(body && {
      requestBody: { required: true, content: toContent(body, withStatus(undefined)) },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        toResponse(answer, withStatus(status)),
      ]),
    ),
  };
}

export function toResponse(answer: ResponseSpec, examples: readonly BodyExample[] = []): object {
  const { description, content, headers = [], component } = answer;
  if (component !== undefined && examples.length === 0) {
    return { $ref: `#/components/responses/${component}` };
  }
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(
        headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
    }),
    ...(content && { content: toContent(content, examples) }),
  };
}

/** @param examples of the first media type */
function toContent(content: ContentSpec, examples: readonly BodyExample[] = []) {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema], index) => [
      type,
      {
        schema: toSchema(type, schema),
        ...(index === 0 && examples.length > 0 && { examples: namedExamples(examples) }),
      },
    ]),
  );
}

function toSchema(type: string, schema: ContentSpec[string]): JsonSchema {
  if (typeof schema === 'string') return schemaRef(schema);
  if (schema) return { anyOf: schema.map(schemaRef) };
  return { type: 'string', ...(/^(image|font)\/|\/vnd\./.test(type) && { format: 'binary' }) };
}

function namedExamples(examples: readonly BodyExample[]) {
  return Object.fromEntries(
    examples.map(({ summary, value }, index) => [`example${index + 1}`, { summary, value }]),
  );
}

/** Returns what all methods of a path have in common. */
function parametersOf({ parameters: inPath = {}, query }: Operation, schemas: Schemas) {
  const parameters = [
    ...Object.entries(inPath).map(([name, parameter]) => ({
      name,
      in: 'path',
      required: true,
      ...parameter,
    })),
    ...(query ? queryParameters(schemas[query]!) : []),
  ];
  return parameters.length > 0 && { parameters };
}

function queryParameters({ properties = {} }: JsonSchema) {
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    const isList = schema.type === 'array';
    return {
      name,
      in: 'query',
      required: false,
      description,
      ...(isList && { style: 'form', explode: false }), // values separated by commas
      schema,
    };
  });
}
