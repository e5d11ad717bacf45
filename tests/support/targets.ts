import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { H3 } from 'h3';
import { createApp, type Dependencies } from '../../sidecar/app.ts';
import { NO_METERS, type Meters } from '../../sidecar/base/meters.ts';
import { openEdition, type Edition } from '../../sidecar/edition/edition.ts';
import { createAccessLog } from '../../sidecar/http/access-log.ts';
import { createMcpEndpoint, type McpOptions } from '../../sidecar/mcp/endpoint.ts';
import { createHubEndpoint } from '../../sidecar/http/hub-endpoint.ts';
import { findRenderer } from '../../sidecar/http/health.ts';
import { Hub } from '../../sidecar/hub/hub.ts';
import { openSqlite } from '../../sidecar/store/sqlite.ts';
import { listen, type ListenOptions, type RunningServer } from '../../sidecar/server.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { basePath } from '../../src/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { recordDifferences } from './described.ts';
import { sampleEdition, silent } from './edition.ts';
import { exchange, type RequestOptions } from './http.ts';
import { hubOptions } from './hub.ts';
import { SLOW } from './slow.ts';

/**
 * A running service as a client sees it. A suite takes all its expectations from the service's
 * data.
 */
export interface Target {
  readonly name: string;
  /** Options of tests whose behavior shows only over a socket. */
  readonly onSocket: { skip: string | false };
  /** Returns the origin it listens on; throws in memory. */
  origin(): string;
  /** Bodies come back as encoded on the wire; redirects are not followed. */
  fetch(path: string, init?: RequestOptions): Promise<Response>;
  /** Returns the JSON of a 200 response. */
  json<T = unknown>(path: string): Promise<T>;
  /** `/reviews.json`, read once. */
  dataset(): Promise<ReviewsDataset>;
  /** `/edition.json`, read once. */
  manifest(): Promise<Manifest>;
}

interface Door {
  name: string;
  /** Differences between its responses and the OpenAPI document; unknown for a remote service. */
  differences?: ReadonlySet<string>;
  open(): Promise<void>;
  close(): Promise<void>;
  origin?: () => string;
  fetch: Target['fetch'];
}

/**
 * Defines a suite for every target: the sample edition in memory and over a socket, or only the
 * service at BASE_URL if that is set.
 */
export function forEachTarget(define: (target: Target) => void): void {
  const { BASE_URL } = process.env;
  for (const door of BASE_URL
    ? [remote(BASE_URL)]
    : [sample('in memory'), sample('over a socket')]) {
    describe(door.name, SLOW, () => {
      before(() => door.open());
      after(() => door.close());
      define(targetOf(door));
      test('answered only as openapi.json describes', { skip: BASE_URL !== undefined }, () => {
        assert.deepEqual([...door.differences!], []);
      });
    });
  }
}

function targetOf({ name, origin, fetch }: Door): Target {
  const json = async <T>(path: string): Promise<T> => {
    const response = await fetch(path);
    assert.equal(response.status, 200, path);
    return (await response.json()) as T;
  };
  const once = <T>(path: string): (() => Promise<T>) => {
    let answer: Promise<T> | undefined;
    return () => (answer ??= json<T>(path));
  };
  return {
    name,
    onSocket: { skip: origin ? false : 'in memory there is no socket' },
    origin: () => origin!(),
    fetch,
    json,
    dataset: once('/reviews.json'),
    manifest: once(`/${MANIFEST_FILE}`),
  };
}

function sample(name: 'in memory' | 'over a socket'): Door {
  let app: H3;
  let server: RunningServer | undefined;
  const isSocket = name === 'over a socket';
  const door: Door = {
    name,
    open: async () => {
      app = await sampleApp();
      door.differences = await recordDifferences(app);
      if (isSocket) server = await listenOnFreePort(app);
    },
    close: async () => server?.close(),
    ...(isSocket && { origin: () => server!.url }),
    fetch: async (path, init) =>
      server ? exchange(server.url, path, init) : app.request(path, init),
  };
  return door;
}

function remote(baseUrl: string): Door {
  const base = basePath(baseUrl);
  /** Links of the site have its path already. */
  const isAtBase = (path: string) => !path.startsWith('/') || path.startsWith(`${base}/`);
  return {
    name: baseUrl,
    open: async () => {},
    close: async () => {},
    origin: () => baseUrl,
    fetch: (path, init) => exchange(baseUrl, isAtBase(path) ? path : base + path, init),
  };
}

/**
 * Returns the read endpoints of the contract, with a `since` day that has a file and one without.
 */
export async function dataPaths(target: Target): Promise<string[]> {
  const { coverage } = await target.dataset();
  return [
    '/reviews.json',
    '/insights.json',
    '/api/feed.json',
    '/feed.xml',
    '/changes.json',
    '/reviews.csv',
    '/api/reviews/search?min_rating=4&limit=3',
    '/api/reviews/count?group_by=year',
    `/api/reviews/since/${coverage.latest}`,
    '/api/reviews/since/1970-01-01',
  ];
}

/** Returns pages that people read in a browser. */
export async function pagePaths(target: Target): Promise<string[]> {
  const { reviews } = await target.dataset();
  return ['/', '/search/?query=tap', new URL(reviews[0]!.url).pathname];
}

/** Returns both. */
export async function readPaths(target: Target): Promise<string[]> {
  return [...(await dataPaths(target)), ...(await pagePaths(target))];
}

type Site = ReturnType<ListenOptions['edition']>;

/** @param site what is other than of a site at the root of 127.0.0.1 */
export function listenOnFreePort(
  app: H3,
  {
    logger = silent,
    meters = NO_METERS,
    site = {},
    ...options
  }: Partial<ListenOptions & { meters: Meters; site: Partial<Site> }> = {},
): Promise<RunningServer> {
  const now = () => performance.now();
  const manifest = { base_url: 'http://127.0.0.1' };
  return listen({
    app,
    port: 0,
    host: '127.0.0.1',
    trustProxy: false,
    requestSeconds: 30,
    farewellMs: 0,
    edition: () => ({ manifest, basePath: '', contentUsage: undefined, ...site }),
    logger,
    accessLog: createAccessLog({ logger, meters, now, newId: randomUUID }),
    ...options,
  });
}

interface Context {
  after: (close: () => Promise<void>) => void;
}
type Listening = Parameters<typeof listenOnFreePort>[1];

/** Serves an app over a socket until the test ends. @returns its address */
export async function serveApp(context: Context, app: H3, options?: Listening): Promise<string> {
  const { url, close } = await listenOnFreePort(app, options);
  context.after(close);
  return url;
}

/** Serves the app on the sample edition until the test ends. @returns its address */
export async function serveSample(
  context: Context,
  options: SampleOptions = {},
  listening?: Listening,
): Promise<string> {
  return serveApp(context, await sampleApp(options), listening);
}

export interface SampleOptions extends Partial<Dependencies> {
  mcpOptions?: Partial<McpOptions>;
  /** Hub requests per minute and client; 0 means no limit. */
  hubRate?: number;
}

/** Creates the app on the sample edition, by default without rate limits. */
export async function sampleApp(options: SampleOptions = {}): Promise<H3> {
  const { mcpOptions, hubRate: rate = 0, ...dependencies } = options;
  const opened = await openSampleFolder();
  const { edition = () => opened, now = () => performance.now() } = dependencies;
  const mcp = createMcpEndpoint({
    edition: () => opened,
    logger: silent,
    access: { origins: ['*'], hosts: [], hasFront: false },
    secret: 'the secret of the tests',
    rate: 0,
    now: () => performance.now(),
    clock: () => Math.floor(Date.now() / 1000),
    ...mcpOptions,
  });
  return createApp({
    edition,
    logger: silent,
    now,
    renderPage: await findRenderer(join(await sampleEdition(), '../server'), silent),
    searchRate: 0,
    downloadRate: 0,
    mcp,
    hub: createHubEndpoint({ hub: await sampleHub(opened), rate, now }),
    ...dependencies,
  });
}

/** Creates a hub that accepts requests but reaches no subscriber. */
async function sampleHub(edition: Edition): Promise<Hub> {
  const changes = { edition: () => edition, allow: [] };
  const hub = new Hub(hubOptions(openSqlite(':memory:'), changes));
  await hub.open();
  return hub;
}

let opened: Promise<Edition> | undefined;

/** Opens the sample edition in place, once in a process, because its folder does not change. */
export function openSampleFolder(): Promise<Edition> {
  return (opened ??= sampleEdition().then(openFolder));
}

/** Creates the app on another edition. */
export async function appOf(client: string): Promise<H3> {
  const opened = await openFolder(client);
  const edition = () => opened;
  const renderPage = await findRenderer(join(client, '../server'), silent);
  return sampleApp({ edition, mcpOptions: { edition }, renderPage });
}

/** Opens an edition in place, with the index of its reviews. */
export async function openFolder(folder: string): Promise<Edition> {
  const manifestBytes = await readFile(join(folder, MANIFEST_FILE));
  const parsed = manifest.parse(JSON.parse(manifestBytes.toString()));
  const edition = await openEdition({ digest: folder, folder, manifest: parsed, manifestBytes });
  await edition.index();
  return edition;
}
