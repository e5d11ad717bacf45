import { z } from 'zod';

export const issue = z.strictObject({
  path: z.array(z.string()).describe('The invalid parameter, e.g. ["min_rating"].'),
  code: z.string().describe('A stable word for programs, e.g. invalid_date.'),
  message: z.string().describe('A sentence for people. Never repeats the value that was sent.'),
});
export type Issue = z.infer<typeof issue>;

/** The body of every JSON error except those of /mcp. */
export const errorBody = z
  .strictObject({
    error: z.string().describe('A stable word for programs, e.g. invalid_parameters.'),
    message: z.string(),
    issues: z.array(issue).optional().describe('Every failing parameter, not only the first.'),
  })
  .meta({ title: 'Error' });

/** Every value of `error` except in /mcp, with its status and usual message. */
export const ERRORS = {
  invalid_parameters: [400, 'Some parameters are invalid; each is listed in issues.'],
  invalid_request: [400, 'A field of a request to the hub is invalid; issues lists every one.'],
  bad_request: [400, 'The request cannot be understood.'],
  not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'The method is not allowed here; see Allow.'],
  gone: [410, 'The review was withdrawn; withdrawn has its date and the reason.'],
  precondition_failed: [412, 'The version differs from If-Match or If-Unmodified-Since.'],
  too_large: [413, 'The body of the request is too large.'],
  unsupported_media_type: [415, 'The body of a request to the hub must be a form.'],
  rate_limited: [429, 'Too many requests from this address; see Retry-After.'],
  internal: [500, 'The service failed to respond to this request.'],
  not_implemented: [501, 'oEmbed is answered as JSON alone.'],
  hub_full: [503, 'The hub is full.'],
  unavailable: [503, 'Temporarily unavailable; see Retry-After.'],
  http_version_not_supported: [505, 'Only HTTP/1.1 and HTTP/1.0 are understood here.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;
export type ErrorCode = keyof typeof ERRORS;

export interface ErrorBody extends z.infer<typeof errorBody> {
  error: ErrorCode;
}

export function errorOf(error: ErrorCode): ErrorBody {
  return { error, message: ERRORS[error][1] };
}

export function invalidParameters(issues: Issue[]): ErrorBody {
  return { ...errorOf('invalid_parameters'), issues };
}
