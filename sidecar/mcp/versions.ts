/** Revisions that begin with `initialize`, newest first. */
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** The revision without sessions: every request says its version and capabilities in `_meta`. */
export const STATELESS_VERSION = '2026-07-28';

export const SUPPORTED_VERSIONS: readonly string[] = [STATELESS_VERSION, ...SESSION_VERSIONS];

/** The asked version where it is spoken, else the newest (MCP 2025-11-25, basic/lifecycle). */
export function negotiateVersion(asked: string): string {
  return isSessionVersion(asked) ? asked : SESSION_VERSIONS[0];
}

export function isSessionVersion(version: string): boolean {
  return (SESSION_VERSIONS as readonly string[]).includes(version);
}
