/** A name leads to nothing, or to an address that no callback may reach. */
export class AddressFault extends Error {
  override name = 'AddressFault';
  readonly code: 'ENOTFOUND' | 'REFUSED';

  constructor(code: AddressFault['code']) {
    super(code);
    this.code = code;
  }
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

/** Why an exchange failed, in a few words of our own: never the message, which a peer may shape. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const reason = REASONS[code];
  if (reason !== undefined) return reason;
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  if (code.startsWith('ERR_SSL_')) return 'TLS failed';
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? `the exchange failed (${code})` : 'the exchange failed';
}

/** Errors of the way there, of the resolver, of this machine or of its clock. */
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

/** Whether a failure may as well be on this side. */
export function isUnclear(error: unknown): boolean {
  const { syscall } = error as { syscall?: unknown };
  return (
    UNCLEAR.has(codeOf(error)) ||
    (typeof syscall === 'string' && syscall.startsWith('query') && codeOf(error) === 'ECONNREFUSED')
  );
}

/** Whether the peer closed the connection. */
export function isClosedByPeer(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** An attempt at several addresses fails with the errors of all; the first one's code stands. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
