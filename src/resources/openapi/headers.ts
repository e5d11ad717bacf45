const header = (description: string, schema: object = { type: 'string' }) => ({
  description,
  schema,
});

export const HEADERS = {
  Allow: header('The methods of the path.'),
  'Content-Range': header('Which bytes these are, and how many there are.'),
  ETag: header('Strong validator; send it back in If-None-Match.'),
  'Last-Modified': header('When the edition was made.'),
  Link: header('The topic with rel=self and its hub with rel=hub; rel=next of a search.'),
  'Mcp-Session-Id': header('Given by initialize; not a credential.'),
  'Retry-After': header('Seconds to wait.', { type: 'integer' }),
};
export type HeaderName = keyof typeof HEADERS;

const DESCRIPTIONS = {
  'If-None-Match': 'ETags that the client has, or *.',
  'If-Modified-Since': 'Ignored if If-None-Match is sent.',
  'If-Match': 'ETags that the data must have; otherwise 412.',
  'If-Unmodified-Since': 'Ignored if If-Match is sent.',
  Range: 'One range of bytes; any other range is ignored.',
  'If-Range': 'ETag that the range is of; with another, all is sent.',
  'Mcp-Session-Id': 'The session, as the response to initialize has it.',
  'Mcp-Protocol-Version': 'The negotiated revision of MCP.',
};
export type HeaderParameter = keyof typeof DESCRIPTIONS;

export const PARAMETERS = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([name, description]) => [
    name,
    { name, in: 'header', required: false, ...header(description) },
  ]),
);
