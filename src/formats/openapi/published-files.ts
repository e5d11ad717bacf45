import { file, FILE_HEADERS, JSON_ERRORS, PAGE_ERRORS } from './answers.ts';
import type { ResponseSpec, Operation, PathParameter } from './operation.ts';

/** A file of the edition that programs read, or many whose paths differ in a parameter. */
interface PublishedFile extends Omit<Operation, 'method' | 'headers' | 'answers'> {
  answer: ResponseSpec;
  /** Not every site publishes it. */
  isOptional?: boolean;
  /** Given if it can be taken back. */
  gone?: ResponseSpec;
}

export const DAY: PathParameter = {
  description: 'The first day, YYYY-MM-DD.',
  schema: { type: 'string', format: 'date' },
  example: '2026-01-01',
};

/** Returns the operations that read files, with the answers that all files have. */
export function publishedFiles(files: readonly PublishedFile[]): Operation[] {
  return files.map(toOperation);
}

function toOperation({ answer, isOptional = false, gone, ...operation }: PublishedFile): Operation {
  const errors = operation.path.endsWith('.json') ? JSON_ERRORS : PAGE_ERRORS;
  const mayBeMissing = isOptional || operation.pathParameters !== undefined;
  return {
    ...operation,
    method: 'get',
    headers: FILE_HEADERS,
    answers: {
      ...file(answer, errors),
      ...(mayBeMissing && { 404: errors[404] }),
      ...(gone && { 410: gone }),
    },
  };
}
