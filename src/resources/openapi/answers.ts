import { JSON_TYPE } from '../../paths.ts';
import { ERRORS } from '../../schema/error.ts';
import type { HeaderParameter } from './headers.ts';
import type { ResponseSpec, ContentSpec } from '../operation.ts';

export const HTML_TYPE = 'text/html';
export const PLAIN_TYPE = 'text/plain';

export const jsonBody = (schema: string, description: string): ResponseSpec => ({
  description,
  content: { [JSON_TYPE]: schema },
});

export const empty = (description: string): ResponseSpec => ({ description });

const NOT_MODIFIED: ResponseSpec = {
  description: 'If-None-Match or If-Modified-Since matches the current data; empty.',
  headers: ['ETag'],
  component: 'NotModified',
};

const PRECONDITION_FAILED: ResponseSpec = {
  ...jsonBody('Error', 'If-Match or If-Unmodified-Since does not match the current data.'),
  component: 'PreconditionFailed',
};

const BAD_REQUEST: ResponseSpec = {
  ...jsonBody('Error', ERRORS.bad_request[1]),
  component: 'BadRequest',
};

export const INVALID: ResponseSpec = {
  ...jsonBody('Error', 'A parameter is invalid; issues lists every one that is.'),
  component: 'InvalidParameters',
};

/** Returns the errors that many operations share, with bodies of one kind. */
export function errors(content: ContentSpec, suffix: string) {
  const error = (
    name: string,
    description: string,
    headers: ResponseSpec['headers'] = [],
  ): ResponseSpec => ({
    description,
    content,
    headers,
    component: name + suffix,
  });
  return {
    404: error('NotFound', ERRORS.not_found[1]),
    405: error('MethodNotAllowed', 'Sent for any other method; Allow lists those there are.', [
      'Allow',
    ]),
    429: error('TooManyRequests', ERRORS.rate_limited[1], ['Retry-After']),
    500: error('InternalError', ERRORS.internal[1]),
    503: error('Unavailable', ERRORS.unavailable[1], ['Retry-After']),
  };
}

/** Errors of the paths that programs read. */
export const JSON_ERRORS = errors({ [JSON_TYPE]: 'Error' }, '');
/** Errors of all other paths. */
export const PAGE_ERRORS = errors({ [HTML_TYPE]: null }, 'Page');

const UNSATISFIABLE: ResponseSpec = {
  description: 'No byte of the range exists; Content-Range has the size. Empty.',
  headers: ['Content-Range'],
  component: 'RangeNotSatisfiable',
};

/** Request headers that every file takes. */
export const FILE_HEADERS: readonly HeaderParameter[] = [
  'If-None-Match',
  'If-Modified-Since',
  'If-Match',
  'If-Unmodified-Since',
  'Range',
  'If-Range',
];

export function file(
  whole: ResponseSpec,
  errors: typeof JSON_ERRORS,
): Record<number, ResponseSpec> {
  const { 404: _, ...failures } = errors;
  return {
    200: { ...whole, headers: ['ETag', 'Last-Modified', ...(whole.headers ?? [])] },
    // Has the schema of the full document: any other would break the types of generated clients.
    206: {
      ...whole,
      description: 'The bytes of one Range of it.',
      headers: ['ETag', 'Last-Modified', 'Content-Range'],
    },
    304: NOT_MODIFIED,
    400: BAD_REQUEST,
    412: PRECONDITION_FAILED,
    416: UNSATISFIABLE,
    ...failures,
  };
}

export function probe(answers: Record<number, ResponseSpec>): Record<number, ResponseSpec> {
  return { ...answers, 400: BAD_REQUEST, 405: PAGE_ERRORS[405] };
}

/** Returns the answers to a question about the reviews. */
export function computed(answer: ResponseSpec): Record<number, ResponseSpec> {
  const { 404: _, ...failures } = JSON_ERRORS;
  return {
    200: { ...answer, headers: ['ETag', ...(answer.headers ?? [])] },
    304: NOT_MODIFIED,
    400: INVALID,
    412: PRECONDITION_FAILED,
    ...failures,
  };
}
