import { MANIFEST_FILE, type Manifest, type Resource } from '../../src/edition/manifest.ts';
import {
  ARCHIVE_PATH,
  ATOM_PATH,
  COUNT_PATH,
  HUB_PATH,
  MCP_PATH,
  OEMBED_PATH,
  reviewDocumentPath,
  reviewPath,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
  SINCE_PATH,
  USUAL_PATHS,
} from '../../src/paths.ts';
import { initialize, MCP_HEADERS, request } from './mcp.ts';
import { sampleApp } from './targets.ts';

/** A request to a route, and the status of its response. */
export interface RouteRequest {
  /** The pattern in the sidecar's route table. */
  route: string;
  /** The route, or the kind of file for the route of all files. */
  kind: string;
  method: 'GET' | 'POST';
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  status: number;
}

/** The route of the edition's files. */
const FILES = '/**';

/**
 * Returns requests to every route of the sidecar and to every kind of file of the edition. The
 * sidecar has to allow callbacks on loopback.
 *
 * @throws when the sidecar has a route that no request is stated for
 */
export async function everyRoute(manifest: Manifest): Promise<RouteRequest[]> {
  const app = await sampleApp();
  const routes = new Set(app['~routes'].map(({ route }) => route ?? ''));
  return requestsOf([...routes], manifest);
}

/** Tells if the response is a file of the edition. */
export function isFile({ route, status }: RouteRequest): boolean {
  return route === FILES && status === 200;
}

/**
 * Returns requests to these routes.
 *
 * @throws if one of them has none
 */
function requestsOf(routes: readonly string[], manifest: Manifest): RouteRequest[] {
  return routes.flatMap((route) => {
    if (route === FILES) return fileRequests(manifest);
    const stated = REQUESTS[route];
    if (!stated) throw new Error(`tests/support/routes.ts states no request for ${route}`);
    return stated(manifest).map((each) => ({ ...each, route, kind: route }));
  });
}

type Stated = Omit<RouteRequest, 'route' | 'kind'>;

const REQUESTS: Readonly<Record<string, (manifest: Manifest) => Stated[]>> = {
  '/healthz': () => [get('/healthz')],
  '/readyz': () => [get('/readyz')],
  ...Object.fromEntries(Object.keys(USUAL_PATHS).map((path) => [path, () => [get(path, 301)]])),
  [SEARCH_PATH]: () => [
    get(`${SEARCH_PATH}?query=water&limit=100`),
    get(`${SEARCH_PATH}?mentions_service=leak-repair&min_rating=4`),
    get(`${SEARCH_PATH}?rating=9`, 400),
  ],
  [COUNT_PATH]: () => [
    get(`${COUNT_PATH}?group_by=year,rating&examples=2`),
    get(`${COUNT_PATH}?group_by=planet`, 400),
  ],
  [SEARCH_PAGE_PATH]: () => [
    get(`${SEARCH_PAGE_PATH}?query=water&limit=100`),
    get(SEARCH_PAGE_PATH),
    get(`${SEARCH_PAGE_PATH}?rating=9`, 400),
    get(SEARCH_PAGE_PATH.slice(0, -1), 301),
  ],
  [`/:language${SEARCH_PAGE_PATH}`]: () => [get(`/xx${SEARCH_PAGE_PATH}`, 404)],
  [`${SINCE_PATH}/:date`]: ({ since }) => [
    get(`${SINCE_PATH}/1999-01-01`),
    get(`${SINCE_PATH}/${since?.from ?? '2026-01-01'}`),
    get(`${SINCE_PATH}/2026-02-30`, 400),
  ],
  [`${ARCHIVE_PATH}:name`]: () => [
    get(reviewPath(UNKNOWN_REVIEW), 404),
    get(reviewDocumentPath(UNKNOWN_REVIEW), 404),
    get(reviewPath(UNKNOWN_REVIEW).slice(0, -1), 301),
  ],
  [OEMBED_PATH]: () => [
    get(OEMBED_PATH),
    get(`${OEMBED_PATH}?maxwidth=300`),
    get(`${OEMBED_PATH}?format=xml`, 501),
    get(`${OEMBED_PATH}?url=https%3A%2F%2Felsewhere.example%2F`, 404),
  ],
  [MCP_PATH]: () => [
    post(MCP_PATH, JSON.stringify(initialize()), MCP_HEADERS),
    post(MCP_PATH, JSON.stringify(request('tools/list')), MCP_HEADERS),
    post(MCP_PATH, JSON.stringify(searchCall), MCP_HEADERS),
    post(MCP_PATH, '{', MCP_HEADERS, 400),
  ],
  [HUB_PATH]: ({ base_url }) => [
    subscription('https://127.123.45.67/', base_url, 202),
    subscription('http://127.123.45.67/', base_url, 400),
  ],
};

const UNKNOWN_REVIEW = '0'.repeat(26);

const searchCall = request('tools/call', { name: 'search_reviews', arguments: { query: 'water' } });

function subscription(callback: string, site: string, status: number): Stated {
  const topic = site + ATOM_PATH;
  const form = { 'hub.mode': 'subscribe', 'hub.callback': callback, 'hub.topic': topic };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return post(HUB_PATH, new URLSearchParams(form).toString(), headers, status);
}

/** Returns a request for each kind of file, for the manifest, and for a missing file. */
function fileRequests(manifest: Manifest): RouteRequest[] {
  const files = fileOfEachKind(manifest);
  const page = files.find(({ path }) => path !== '/' && path.endsWith('/'));
  return [
    ...files.map((file) => ({ ...get(file.path), kind: kindOf(file) })),
    { ...get(`/${MANIFEST_FILE}`), kind: MANIFEST_FILE },
    ...(page ? [{ ...get(page.path.slice(0, -1), 301), kind: 'a page without its slash' }] : []),
    { ...get('/nowhere', 404), kind: 'no file' },
  ].map((request) => ({ ...request, route: FILES }));
}

/** Returns the largest file of each kind. */
function fileOfEachKind({ resources }: Manifest): Resource[] {
  return [...Map.groupBy(resources, kindOf).values()].map((files) =>
    files.reduce((largest, file) => (file.size > largest.size ? file : largest)),
  );
}

/** Kinds differ in folder, media type or headers. */
function kindOf({ path, type, headers }: Resource): string {
  const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
  return `${folder}* ${type.replace(/;.*/, '')} (${headers})`;
}

function get(target: string, status = 200): Stated {
  return { method: 'GET', target, headers: {}, body: '', status };
}

function post(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Stated {
  return { method: 'POST', target, headers, body, status };
}
