import { isIP, SocketAddress } from 'node:net';
import { z } from 'zod';

// Types of the values that settings may have; each message completes the name of a setting.

/** A whole number within bounds. */
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** A percentage, as a factor: 100 is 1. */
const percentFactor = whole(0, 1_000_000).transform((value) => value / 100);

/** Address ranges, comma-separated. */
const addressRanges = z.string().transform((value, context) => {
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
const twoDelays = z
  .string()
  .regex(/^\d+(\.\d+)?,\s*\d+(\.\d+)?$/, 'must be two numbers of seconds, comma-separated')
  .transform((value) => value.split(',').map(Number))
  .refine((delays) => delays.every((delay) => delay <= MAX_DELAY_SECONDS), {
    error: `must be at most ${MAX_DELAY_SECONDS} seconds`,
  });

/** The proxies whose X-Forwarded-For is trusted: none, all, those on this machine, or addresses. */
const trustProxy = z
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
const list = (item: z.ZodString) =>
  z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',').map((name) => name.trim())))
    .pipe(z.array(item));

/** `postgres://user:password@host/database`; the host may be left out, as in `postgres:///database`. */
const databaseUrl = z
  .string()
  .refine((text) => text === '' || isPostgresUrl(text), 'must be a postgres:// address');

function isPostgresUrl(text: string): boolean {
  // Like the client, accept an address whose host is in the query, such as a Unix socket's.
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace('@/', '@localhost/'));
}

/** An origin, or * for any. */
const origin = z.string().refine((text) => text === '*' || URL.parse(text)?.origin === text, {
  error: 'must be *, or comma-separated origins such as https://app.example',
});

/** A host name without a port, or * for any. */
const hostName = z.string().regex(/^(\*|[a-z0-9.-]+|\[[0-9a-f:]+\])$/i, {
  error: 'must be *, or comma-separated host names without a port',
});

/** A key that is too long to guess. */
const longKey = z
  .string()
  .refine((text) => text === '' || text.length >= 16, 'must have 16 characters or more');

/** An environment variable: its type, default and description. */
interface Setting<T extends z.ZodType = z.ZodType> {
  schema: T;
  /** As shown in `sidecar/README.md`. */
  default: string;
  description: string;
  /** When not to set it; completes "leave it unset". */
  leave: string;
  /** Keeps its value out of messages and logs. */
  secret?: true;
}

const setting = <T extends z.ZodType>(
  schema: T,
  fallback: string,
  description: string,
  leave: string,
): Setting<T> => ({ schema, default: fallback, description, leave });

/** Defines a setting whose value never appears in messages or logs. */
const secret = <T extends z.ZodType>(
  schema: T,
  description: string,
  leave: string,
): Setting<T> => ({
  ...setting(schema, '', description, leave),
  secret: true,
});

/** All settings of the sidecar. */
export const SETTINGS = {
  PORT: setting(
    whole(0, 65_535),
    '4321',
    'Port to listen on; 0 picks a free one.',
    'in a container or behind a proxy, which have ports of their own',
  ),
  HOST: setting(
    z.string().min(1),
    '127.0.0.1',
    'Address to listen on.',
    'unless other machines connect: a proxy on this one does not need it',
  ),
  EDITION: setting(
    z
      .string()
      .regex(/^(?!\w+:\/\/|https?:)|^https?:\/\/[^/]/i, 'must be a folder or an http(s) address'),
    'dist/client',
    'The edition to serve: a folder, or the http(s) address it is published at.',
    'where the site is built in the same folder',
  ),
  EDITION_PUBLIC_KEY: setting(
    z.string(),
    '',
    "Only editions signed by these keys are served: x of the site's key file, comma-separated, or a PEM file.",
    'while the build does not sign: no edition would be served',
  ),
  EDITION_ACCEPT: setting(
    z.string(),
    '',
    'Id of an edition that is taken although it is of another site, or lacks half of the reviews.',
    'before you know why that edition waits, and once it is served',
  ),
  DATA_DIR: setting(
    z.string().min(1),
    '.data',
    'Folder for state that survives restarts.',
    'where the working folder is kept; two processes never share one',
  ),
  DATABASE_URL: secret(
    databaseUrl,
    'PostgreSQL for the hub; default: SQLite in DATA_DIR.',
    'with one process: SQLite is as fast and needs no care',
  ),
  REFRESH_SECONDS: setting(
    whole(1, 86_400),
    '60',
    'How often to look for a new edition.',
    'to publish faster: a ping does that at once',
  ),
  TRUST_PROXY: setting(
    trustProxy,
    'off',
    'Proxies whose X-Forwarded-For is trusted: off, on, loopback, or addresses.',
    'without a proxy: clients could pass for others and evade their limits',
  ),
  REQUEST_SECONDS: setting(
    whole(1, 3600),
    '30',
    'Seconds for a request to arrive, or a response to make progress, before the connection is closed.',
    'for large files: any progress begins it anew',
  ),
  RATE_LIMIT: setting(
    percentFactor,
    '100',
    'Percent of the usual limits per minute and client; 0 means no limit.',
    'if all readers seem to have the address of a proxy: set TRUST_PROXY',
  ),
  MCP_SECRET: secret(
    longKey,
    'Signs MCP sessions; default: a file in DATA_DIR. Required with DATABASE_URL.',
    'with one process whose DATA_DIR is kept',
  ),
  MCP_ALLOWED_ORIGINS: setting(
    list(origin),
    '*',
    'Origins whose pages may call /mcp from a browser, besides this site; comma-separated; * allows any.',
    'to hide something: other addresses have the same reviews',
  ),
  MCP_ALLOWED_HOSTS: setting(
    list(hostName),
    '',
    'Further host names for /mcp where no proxy is trusted and the site has no https; * allows any.',
    'with https or a trusted proxy, where every name is answered',
  ),
  HUB_KEY: secret(
    longKey,
    'Encrypts secrets; after a comma, former keys; default: a file in DATA_DIR. Required with DATABASE_URL.',
    'with one process whose DATA_DIR is kept',
  ),
  HUB_RETRY_SECONDS: setting(
    twoDelays,
    '300,21600',
    'Waits after the first and the second failed delivery in a row.',
    'to be quicker: a subscriber that restarts would lose its subscription',
  ),
  HUB_CALLBACK_ALLOW: setting(
    addressRanges,
    '',
    'Private address ranges that callbacks may use, e.g. 10.0.0.0/8.',
    'where strangers can subscribe: they could reach your network',
  ),
  HUB_MAX_SUBSCRIPTIONS: setting(
    whole(0, 10_000_000),
    '100000',
    'Maximum number of subscriptions, of all topics and all replicas.',
    'beyond 100000 for each process: deliveries would be late',
  ),
  METRICS_PORT: setting(
    z.union([z.literal('off').transform(() => undefined), whole(0, 65_535)], {
      error: 'must be off or a port',
    }),
    'off',
    'Port for GET /metrics (Prometheus), on the same address; 0 picks a free one.',
    'where HOST is a public address: nothing protects it',
  ),
  LOG_LEVEL: setting(
    z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error'),
    'info',
    'Lowest level that is logged: debug, info, warn or error.',
    'at debug for long: each request writes several lines',
  ),
} as const;

/** Settings of former versions, and what replaces them. */
const REMOVED: Readonly<Record<string, string>> = {
  SEARCH_RATE: 'RATE_LIMIT',
  DOWNLOAD_RATE: 'RATE_LIMIT',
  MCP_RATE: 'RATE_LIMIT',
  HUB_RATE: 'RATE_LIMIT',
  EDITION_MAX_MB: 'it is 2000',
  FILE_CACHE_MB: 'it is 64',
  SERVER_DIR: 'the code of pages is found beside the edition, or in dist/server',
  HUB_SETTLE_MS: 'a ping is followed by a look at once',
  MOVED_FROM: 'subscribers of the former address subscribe again',
};

/** Returns the settings of former versions that are set, and what replaces them. */
export function removedSettings(env: Readonly<Record<string, string | undefined>>) {
  return Object.entries(REMOVED).filter(([name]) => env[name]);
}

export type Config = {
  [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]['schema']>;
};

/**
 * Reads the settings from the environment; an empty variable counts as unset. A blank around a value is
 * of the file it came from, except in a secret, whose every character counts.
 *
 * @throws one error that lists every invalid setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const issues: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, { schema, default: fallback, secret }] of Object.entries<Setting>(SETTINGS)) {
    const given = secret ? env[name] : env[name]?.trim();
    const parsed = schema.safeParse(given || fallback);
    if (parsed.success) config[name] = parsed.data;
    else issues.push(`${name}: ${parsed.error.issues[0]!.message}${secret ? '' : was(given!)}`);
  }
  if (issues.length > 0) throw new Error(`bad settings:\n${issues.join('\n')}`);
  return config as Config;
}

/** Shows a rejected value, without a password that a URL may contain. */
function was(given: string): string {
  return ` (was ${given.replace(/\/\/[^/@]*@/g, '//')})`;
}
