/** Returns an error with one of the codes below. */
export function failedWith(code: 'ENOTFOUND' | 'REFUSED' | 'ECONNRESET'): Error {
  return Object.assign(new Error(code), { code });
}

const CODES = {
  'the name leads to a private or reserved address': ['REFUSED'],
  'the name does not resolve': ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ESERVFAIL'],
  'the name servers did not answer': ['ETIMEOUT'],
  'the connection was refused': ['ECONNREFUSED'],
  'the connection was closed before an answer': ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  'the answer is not HTTP': ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  'the address did not answer': ['ETIMEDOUT'],
  'the address cannot be reached': ['EHOSTUNREACH', 'ENETUNREACH'],
  'the certificate is not valid yet': ['CERT_NOT_YET_VALID'],
  'the certificate is for another host': ['ERR_TLS_CERT_ALTNAME_INVALID'],
  'the certificate has expired': ['CERT_HAS_EXPIRED'],
  'the certificate is not trusted': [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
};
const REASONS = new Map(
  Object.entries(CODES).flatMap(([reason, codes]) => codes.map((code) => [code, reason] as const)),
);

/** Returns the reason of a failed exchange in our own words, never the message, which a peer may control. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const reason = REASONS.get(code);
  if (reason !== undefined) return reason;
  if ((error as Error).name === 'HTTPParserError') return 'the answer is not HTTP';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'TLS failed';
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? `the exchange failed (${code})` : 'the exchange failed';
}

/** Errors of the network, the resolver, this machine or its clock. */
const UNCLEAR = new Set([
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ETIMEOUT',
  'ESERVFAIL',
  'EREFUSED',
  'CERT_NOT_YET_VALID',
]);

/** Tells if a failure may be the hub's own. */
export function isUnclear(error: unknown): boolean {
  const { syscall } = error as { syscall?: unknown };
  return (
    UNCLEAR.has(codeOf(error)) ||
    (typeof syscall === 'string' && syscall.startsWith('query') && codeOf(error) === 'ECONNREFUSED')
  );
}

/** Returns the code of an error, or of the first of several when all addresses failed. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
