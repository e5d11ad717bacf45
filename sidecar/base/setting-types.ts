import { isIP, SocketAddress } from 'node:net';
import { z } from 'zod';

// Types of the values that settings may have; each message completes the name of a setting.

/** A whole number within bounds. */
export const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`);

/** A percentage, as a factor: 100 is 1. */
export const percentFactor = whole(0, 1_000_000).transform((value) => value / 100);

/** Address ranges, comma-separated. */
export const addressRanges = z.string().transform((value, context) => {
  const ranges = value.split(/[\s,]+/).filter((range) => range !== '');
  if (!ranges.every((range) => cidr.safeParse(range).success)) {
    context.addIssue('must be address ranges such as 10.0.0.0/8, comma-separated');
  }
  return ranges;
});
const cidr = z.union([z.cidrv4(), z.cidrv6()]);

/** A day. Node fires timers above 24 days immediately. */
const MAX_DELAY_SECONDS = 86_400;

/** Two numbers of seconds, comma-separated. */
export const twoDelays = z
  .string()
  .regex(/^\d+(\.\d+)?,\s*\d+(\.\d+)?$/, 'must be two numbers of seconds, comma-separated')
  .transform((value) => value.split(',').map(Number))
  .refine((delays) => delays.every((delay) => delay <= MAX_DELAY_SECONDS), {
    error: `must be at most ${MAX_DELAY_SECONDS} seconds`,
  });

/** The proxies whose X-Forwarded-For is trusted: none, all, those on this machine, or addresses. */
export const trustProxy = z
  .string()
  .toLowerCase()
  .transform((value) => {
    if (value === 'off') return false;
    if (value === 'on') return true;
    return value === 'loopback' ? ('loopback' as const) : value.split(/,\s*/);
  })
  .refine((value) => !Array.isArray(value) || value.every((address) => isIP(address) > 0), {
    error: 'must be off, on, loopback or addresses',
  })
  // Peer addresses arrive in canonical form and are compared as strings.
  .transform((value) => (Array.isArray(value) ? value.map(canonicalAddress) : value));

function canonicalAddress(address: string): string {
  return new SocketAddress({ address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4' }).address;
}

/** A comma-separated list; empty by default. */
export const list = (item: z.ZodString) =>
  z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',').map((name) => name.trim())))
    .pipe(z.array(item));

/** `postgres://user:password@host/database`; the host may be left out, as in `postgres:///database`. */
export const databaseUrl = z
  .string()
  .refine((text) => text === '' || isPostgresUrl(text), 'must be a postgres:// address');

function isPostgresUrl(text: string): boolean {
  // Like the client, accept an address whose host is in the query, such as a Unix socket's.
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace('@/', '@localhost/'));
}

/** An origin, or * for any. */
export const origin = z
  .string()
  .refine((text) => text === '*' || URL.parse(text)?.origin === text, {
    error: 'must be *, or comma-separated origins such as https://app.example',
  });

/** A host name without a port, or * for any. */
export const hostName = z.string().regex(/^(\*|[a-z0-9.-]+|\[[0-9a-f:]+\])$/i, {
  error: 'must be *, or comma-separated host names without a port',
});

/** A key that is too long to guess. */
export const longKey = z
  .string()
  .refine((text) => text === '' || text.length >= 16, 'must have 16 characters or more');
