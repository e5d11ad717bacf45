import type { HeaderName, HeaderParameter } from './operation.ts';

const header = (description: string, schema: object = { type: 'string' }) => ({
  description,
  schema,
});

/** Headers of responses. */
export const HEADERS: Readonly<Record<HeaderName, object>> = {
  Allow: header('The methods of the path.'),
  'Content-Range': header('Which bytes these are, and how many there are.'),
  ETag: header('Strong validator; send it back in If-None-Match.'),
  'Last-Modified': header('When the edition was made.'),
  Link: header('The topic with rel=self and its hub with rel=hub; rel=next of a search.'),
  'Mcp-Session-Id': header('Given by initialize; not a credential.'),
  'Retry-After': header('Seconds to wait.', { type: 'integer' }),
};

const parameter = (name: HeaderParameter, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

/** Parameters in request headers. */
export const PARAMETERS: Readonly<Record<HeaderParameter, object>> = {
  'If-None-Match': parameter('If-None-Match', 'ETags that the client has, or *.'),
  'If-Modified-Since': parameter('If-Modified-Since', 'Ignored if If-None-Match is sent.'),
  'If-Match': parameter('If-Match', 'ETags that the data must have; otherwise 412.'),
  'If-Unmodified-Since': parameter('If-Unmodified-Since', 'Ignored if If-Match is sent.'),
  Range: parameter('Range', 'One range of bytes; any other range is ignored.'),
  'If-Range': parameter('If-Range', 'ETag that the range is of; with another, all is sent.'),
  'Mcp-Session-Id': parameter(
    'Mcp-Session-Id',
    'The session, as the response to initialize has it.',
  ),
  'Mcp-Protocol-Version': parameter('Mcp-Protocol-Version', 'The negotiated revision of MCP.'),
};
