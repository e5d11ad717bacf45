import { excerpt, jsonExample, shorten } from './json-text.ts';
import type { Example, Operation } from './operation.ts';
import { instancesOf, type DocumentResource, type Instance } from './resource.ts';
import type { Source } from './source.ts';

/** Lines of a text: those of a feed show an entry. */
const LINES = 26;

/** Returns requests for an operation. The answers come from the same code as real ones. */
export function examplesOf(operation: Operation | DocumentResource, source: Source): Example[] {
  const own = operation.examples?.(source) ?? [];
  if (!('example' in operation)) return own;
  const [first] = instancesOf(operation, source, []);
  return first ? [documentExample(first, source, operation.example!), ...own] : own;
}

function documentExample({ path, build }: Instance, source: Source, says: string): Example {
  const text = Buffer.from(build(source)).toString();
  if (path.endsWith('.json')) return jsonExample(source, path, JSON.parse(text), says);
  return { says, command: `curl -s '${source.baseUrl}${path}'`, answer: excerpt(text, LINES) };
}

/** A real body of an operation, shortened. */
export interface BodyExample {
  summary: string;
  /** Absent for the body of a request. */
  status?: number;
  value: unknown;
}

/** Returns the bodies of the examples of an operation, shortened, for the OpenAPI document. */
export function bodyExamples(operation: Operation, source: Source): BodyExample[] {
  return examplesOf(operation, source).flatMap(({ says: summary, request, response }) => [
    ...(request === undefined ? [] : [{ summary, value: request }]),
    ...(response ? [{ summary, status: response.status, value: shorten(response.body) }] : []),
  ]);
}
