/** Names a request in the answer and in the log; a front server may have named it already. */
export const REQUEST_ID = 'x-request-id';

/** What is repeated of a client must not be able to break a header or a log line. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** The id that the client gave, if it is well-formed, or else a new one. */
export function requestId(headers: Headers, newId: () => string): string {
  const given = headers.get(REQUEST_ID);
  return given !== null && WELL_FORMED.test(given) ? given : newId();
}
