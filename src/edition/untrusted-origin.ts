/** Limits of everything that is read from the origin of an edition, which may be anyone's. */
export const ORIGIN_LIMITS = {
  manifestBytes: 8 * 1024 * 1024,
  /** Milliseconds for a response to start, and between two pieces of its body. */
  waitMs: 10_000,
  redirects: 3,
} as const;

/** Tells an address from a folder. */
export function isAddress(site: string): boolean {
  return /^https?:/i.test(site);
}

export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Rejects other hosts: nobody trusted them with this edition, and they may be internal. */
export function redirectTarget(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  const same = to?.origin === from.origin;
  const upgrade =
    from.protocol === 'http:' && to?.protocol === 'https:' && to.hostname === from.hostname;
  if (!to || !(same || upgrade)) {
    throw new Error(
      `a redirect to ${to ? to.origin : 'an invalid address'}, which is not followed`,
    );
  }
  [to.username, to.password] = same ? [from.username, from.password] : ['', ''];
  return to;
}
