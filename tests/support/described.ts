import type { H3 } from 'h3';
import type { HeaderPairs } from '../../src/http.ts';
import { OPENAPI_PATH } from '../../src/paths.ts';
import { readJson, sampleEdition } from './edition.ts';

/** The OpenAPI document, as far as tests read it. */
export type PathItem = Record<string, DescribedOperation>;
interface DescribedOperation {
  responses?: Record<string, DescribedAnswer>;
}
export interface DescribedAnswer {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<
    string,
    { schema: { $ref?: string }; examples?: Record<string, { value: unknown }> }
  >;
}
export interface OpenApi {
  paths: Record<string, PathItem>;
  components: { responses: Record<string, DescribedAnswer> };
}

/** A response as far as the document describes it. */
interface Observed {
  method: string;
  path: string;
  status: number;
  type: string | undefined;
}

/** Statuses of pages without their body, and of addresses that lead nowhere or elsewhere. */
const ANYWHERE = new Set([204, 301, 304, 400, 404, 405, 412]);

/** Statuses of a preflight: 403 is for a host or an origin that may not call /mcp. */
const PREFLIGHTS = new Set([204, 400, 403]);

/** Compares responses with the OpenAPI document. */
export class Description {
  readonly #document: OpenApi;
  readonly #patterns: readonly [RegExp, string][];

  constructor(document: OpenApi) {
    this.#document = document;
    // Paths without parameters win, then those that say more.
    const paths = Object.keys(document.paths).sort(
      (a, b) => +a.includes('{') - +b.includes('{') || b.length - a.length,
    );
    this.#patterns = paths.map((path) => [pattern(path), path]);
  }

  /** Returns the path of the document that describes an address. */
  pathOf(address: string): string | undefined {
    // What is computed answers with a slash at the end too, as the description says.
    const exact = address.replace(/^(\/mcp|\/api\/.*)\/$/, '$1');
    return this.#patterns.find(([path]) => path.test(exact))?.[1];
  }

  /** Returns an answer of the document, looked up if it is a shared one. */
  answerOf(path: string, method: string, status: number): DescribedAnswer | undefined {
    const answer = this.#document.paths[path]?.[method]?.responses?.[status];
    const shared = answer?.$ref?.split('/').at(-1);
    return shared === undefined ? answer : this.#document.components.responses[shared];
  }

  /** Returns the difference between a response and the document; undefined if there is none. */
  difference({ method, path: address, status, type }: Observed): string | undefined {
    const seen = `${method} ${address} was answered ${status} ${type ?? 'without a body'}`;
    const path = this.pathOf(address);
    if (path === undefined) {
      const isPage = type !== undefined && !/json|atom|plain/.test(type);
      return isPage || ANYWHERE.has(status) ? undefined : `${seen}, and the path is not described`;
    }
    const item = this.#document.paths[path]!;
    if (method === 'OPTIONS') return PREFLIGHTS.has(status) ? undefined : seen;
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    if (!item[name]) {
      const isRefused =
        status === 405 && Object.keys(item).some((other) => this.answerOf(path, other, 405));
      return isRefused ? undefined : `${seen}, and ${path} has no such method`;
    }
    const described = this.answerOf(path, name, status);
    if (!described) return `${seen}, and ${path} does not describe the status`;
    const types = Object.keys(described.content ?? {});
    if (method === 'HEAD' || type === undefined || types.includes(type)) return undefined;
    return `${seen}, and ${path} describes ${types.join(', ') || 'no body'}`;
  }
}

function pattern(path: string): RegExp {
  const escaped = path.replaceAll('.', String.raw`\.`);
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Collects how the responses of an app differ from the document, from now on. */
export async function recordDifferences(app: H3): Promise<ReadonlySet<string>> {
  const description = new Description(await readJson(await sampleEdition(), OPENAPI_PATH));
  const differences = new Set<string>();
  // Requests in memory and over sockets both go through it.
  const respond = app['~request'].bind(app);
  app['~request'] = async (request, context) => {
    const response = await respond(request, context);
    const difference = description.difference({
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      type: typeOf(response),
    });
    if (difference !== undefined) differences.add(difference);
    return response;
  };
  return differences;
}

/** Returns the media type without reading `headers`, which must stay as the app left them. */
function typeOf(response: Response & { pairs?: HeaderPairs }): string | undefined {
  const pairs = response.pairs ?? [...response.headers];
  const [, type] = pairs.find(([name]) => name === 'content-type') ?? [];
  const [, length] = pairs.find(([name]) => name === 'content-length') ?? [];
  return length === '0' ? undefined : type?.split(';')[0];
}
