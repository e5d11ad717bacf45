import { SECURITY_HEADERS, type HeaderPairs } from '../../src/http.ts';
import type { Access } from './access.ts';

/** The methods of the endpoint, as Allow names them. */
export const METHODS = 'POST, DELETE, OPTIONS';

/** Headers of the answer to a preflight. */
export const PREFLIGHT: HeaderPairs = [
  ['allow', METHODS],
  ['access-control-allow-methods', METHODS],
  [
    'access-control-allow-headers',
    'Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  ],
  ['access-control-max-age', '86400'],
];

const SHARED: HeaderPairs = [
  ['cache-control', 'no-store'],
  ...Object.entries(SECURITY_HEADERS),
  ['access-control-expose-headers', 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After'],
];
const SHARED_WITH_ANY: HeaderPairs = [...SHARED, ['access-control-allow-origin', '*']];

/** The headers of every answer to this origin (Fetch standard, section 3.3). */
export function sharedHeaders(access: Access, origin: string | null): HeaderPairs {
  if (access.anyOrigin) return SHARED_WITH_ANY;
  const allowed = origin !== null && access.allowsOrigin(origin);
  return [
    ...SHARED,
    ['vary', 'Origin'],
    ...(allowed ? ([['access-control-allow-origin', origin]] as HeaderPairs) : []),
  ];
}
