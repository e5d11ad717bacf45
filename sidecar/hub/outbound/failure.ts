/** Returns an error with one of the codes below. */
export function failedWith(code: 'ENOTFOUND' | 'REFUSED' | 'ECONNRESET'): Error {
  return Object.assign(new Error(code), { code });
}

const REASONS: Record<string, string> = {
  REFUSED: 'the name leads to a private or reserved address',
  ENOTFOUND: 'the name does not resolve',
  ENODATA: 'the name does not resolve',
  EBADNAME: 'the name does not resolve',
  ESERVFAIL: 'the name does not resolve',
  ETIMEOUT: 'the name servers did not answer',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  UND_ERR_HEADERS_OVERFLOW: 'the answer is not HTTP',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not HTTP',
  ETIMEDOUT: 'the address did not answer',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  EPROTO: 'TLS failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
};

/**
 * Returns the reason of a failed exchange in our own words, never the message, which a peer may
 * control.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const reason = REASONS[code];
  if (reason !== undefined) return reason;
  if ((error as Error).name === 'HTTPParserError') return 'the answer is not HTTP';
  if (code.startsWith('ERR_SSL_')) return 'TLS failed';
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
  'EAI_AGAIN',
  'CERT_NOT_YET_VALID',
]);

/** Tells if a failure may be on this side. */
export function isUnclear(error: unknown): boolean {
  const { syscall } = error as { syscall?: unknown };
  return (
    UNCLEAR.has(codeOf(error)) ||
    (typeof syscall === 'string' && syscall.startsWith('query') && codeOf(error) === 'ECONNREFUSED')
  );
}

/** Tells if the peer closed the connection. */
export function isClosedByPeer(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));
}

/** Returns the code of an error, or of the first of several when all addresses failed. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
