import { strongETag } from '../../edition/etag.ts';
import type { Manifest, Resource } from '../../edition/manifest.ts';
import {
  ARCHIVE_PATH,
  ATOM_PATH,
  HUB_PATH,
  JSON_FEED_PATH,
  MCP_PATH,
  NOT_FOUND_PATH,
  READINESS_PATH,
  REVIEWS_PATH,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
} from '../../paths.ts';

export interface SiteAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** A request that a live site gets, and a check of its answer. */
export interface SiteQuestion {
  /** The client that sends such a request in practice. */
  by: 'visitors' | 'files' | 'readers' | 'search' | 'assistants' | 'hub' | 'sidecar';
  path: string;
  init?: RequestInit;
  /** Returns what is wrong, or nothing. */
  check: (answer: SiteAnswer) => string | undefined;
  /** Returns what would be asked after an answer that is right. */
  next?: (answer: SiteAnswer) => SiteQuestion;
}

const [HTML, JSON_ESSENCE] = ['text/html', 'application/json'];
/** Types by which browsers and programs do not recognize a file. */
const VAGUE = new Set(['', HTML, 'text/plain', 'application/octet-stream']);
/** Types that browsers go by, so that a vague one breaks the site. Programs read JSON of any type. */
const MEANT = /^(text\/(html|css|javascript)|image\/|application\/(atom\+xml|xml))/;
const MAX_FILES = 40;
const LARGEST_FILE = 1_000_000;

/** Returns the questions for a site with this edition: what it promises is asked for, and nothing else. */
export function questionsFor(manifest: Manifest): SiteQuestion[] {
  const { resources, site } = manifest;
  const isFiles = site?.files_only === true;
  const files = someOfEach(resources).map(asFile);
  return [...VISITORS, ...files, ...READERS, ...(isFiles ? [] : answering(manifest.base_url))];
}

const VISITORS: readonly SiteQuestion[] = [
  { by: 'visitors', path: '/', check: (answer) => isOf(answer, 200, HTML) },
  { by: 'visitors', path: SEARCH_PAGE_PATH, check: (answer) => isOf(answer, 200, HTML) },
  {
    by: 'visitors',
    path: `${ARCHIVE_PATH}nothing/`,
    check: ({ status }) => (status === 404 ? undefined : `answers ${status}, where 404 is meant`),
  },
  {
    by: 'visitors',
    path: ARCHIVE_PATH.slice(0, -1),
    check: ({ status }) =>
      status < 400
        ? undefined
        : `answers ${status}: addresses without a slash at the end are broken`,
  },
];

/** Returns all files of /.well-known/, and of the others two of each folder and type. */
function someOfEach(resources: readonly Resource[]): Resource[] {
  const small = resources.filter(({ size }) => size <= LARGEST_FILE);
  const kinds = Map.groupBy(small, ({ path, type }) => `${path.split('/', 2)[1]} ${type}`);
  const [hidden, others] = [new Set<Resource>(), new Set<Resource>()];
  for (const each of [...kinds.values()].flatMap((kind) => [kind[0]!, kind.at(-1)!]))
    others.add(each);
  for (const each of small) if (each.path.startsWith('/.well-known/')) hidden.add(each);
  return [...hidden.union(others)].slice(0, MAX_FILES);
}

function asFile({ path, type, etag }: Resource): SiteQuestion {
  return {
    by: 'files',
    path,
    check: (answer) => {
      // At its own address, the page for missing addresses may be answered with 404.
      if (answer.status !== 200 && path !== NOT_FOUND_PATH) return `answers ${answer.status}`;
      const [meant, served] = [essence(type), essenceOf(answer)];
      const isVague = MEANT.test(meant) ? VAGUE.has(served) : served === HTML;
      const isBroken = meant !== served && isVague;
      if (isBroken) return `is served as ${served || 'nothing'}, not as ${meant}`;
      return strongETag(answer.bytes) === etag
        ? undefined
        : 'is not the file that edition.json describes: something in front changes it';
    },
  };
}

/** Questions of programs that ask again and again, and of other sites. */
const READERS: readonly SiteQuestion[] = [ATOM_PATH, JSON_FEED_PATH, REVIEWS_PATH].map((path) => ({
  by: 'readers',
  path,
  init: { headers: { origin: 'https://another-site.example' } },
  check: ({ headers }) => {
    if (!headers.has('etag') && !headers.has('last-modified')) {
      return 'has neither ETag nor Last-Modified: readers fetch all of it each time';
    }
    const isOpen = headers.get('access-control-allow-origin') === '*';
    return isOpen
      ? undefined
      : 'has no Access-Control-Allow-Origin: *, so no other site can read it';
  },
  next: (answer) => askAgain(path, answer),
}));

/** Returns the question of a reader that has a file already. */
function askAgain(path: string, { headers }: SiteAnswer): SiteQuestion {
  const etag = headers.get('etag');
  const known: [string, string][] = etag
    ? [['if-none-match', etag]]
    : [['if-modified-since', headers.get('last-modified') ?? '']];
  return {
    by: 'readers',
    path,
    init: { headers: known },
    check: ({ status }) =>
      status === 304 ? undefined : `answers ${status} to a reader that has it, where 304 is meant`,
  };
}

const HOST_LOST = 'the front does not pass the name of this host on (Host)';
const BLOCKED =
  'a page of something in front, such as a protection against bots, keeps programs out';

const post = (type: string, body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type, accept: 'application/json, text/event-stream' },
  body,
});

/** Returns the questions that a sidecar answers. */
function answering(baseUrl: string): SiteQuestion[] {
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'doctor', version: '1' },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello };
  // No callback may be http, so nothing is subscribed.
  const refused = { 'hub.mode': 'subscribe', 'hub.callback': 'http://subscriber.example/' };
  const form = new URLSearchParams({ ...refused, 'hub.topic': baseUrl + ATOM_PATH });
  return [
    {
      by: 'search',
      path: `${SEARCH_PATH}?limit=1`,
      check: (answer) => isOf(answer, 200, JSON_ESSENCE),
    },
    {
      by: 'search',
      path: `${SEARCH_PATH}?rating=9`,
      check: (answer) => isOf(answer, 400, JSON_ESSENCE) ?? lacks(answer, 'issues'),
    },
    {
      by: 'assistants',
      path: MCP_PATH,
      init: post(JSON_ESSENCE, JSON.stringify(message)),
      check: (answer) =>
        answer.status === 403
          ? `answers 403: ${essenceOf(answer) === HTML ? BLOCKED : HOST_LOST}`
          : (isOf(answer, 200) ??
            (answer.headers.has('mcp-session-id')
              ? lacks(answer, 'serverInfo')
              : 'loses Mcp-Session-Id')),
    },
    {
      by: 'hub',
      path: HUB_PATH,
      init: post('application/x-www-form-urlencoded', form.toString()),
      check: (answer) => {
        if (answer.status === 503) return `answers 503: ${READINESS_PATH} of the sidecar says why`;
        const wrong = isOf(answer, 400, JSON_ESSENCE);
        return wrong ?? (answer.bytes.includes('hub.topic') ? `refuses its own topic` : undefined);
      },
    },
    {
      by: 'sidecar',
      path: READINESS_PATH,
      check: ({ status, bytes }) => {
        if (status === 404) return undefined; // a front server may not pass it on
        return status === 200
          ? undefined
          : `answers ${status}: ${bytes.toString().slice(0, 500).trim()}`;
      },
    },
  ];
}

function isOf(answer: SiteAnswer, status: number, type?: string): string | undefined {
  if (answer.status !== status) return `answers ${answer.status}, where ${status} is meant`;
  const served = essenceOf(answer);
  if (type === undefined || served === type) return undefined;
  return `is served as ${served || 'nothing'}, not as ${type}`;
}

function lacks({ bytes }: SiteAnswer, word: string): string | undefined {
  return bytes.includes(`"${word}"`)
    ? undefined
    : `answers without ${word}: something else answers`;
}

function essence(type: string): string {
  return type.split(';', 1)[0]!.trim().toLowerCase();
}

function essenceOf({ headers }: SiteAnswer): string {
  return essence(headers.get('content-type') ?? '');
}
