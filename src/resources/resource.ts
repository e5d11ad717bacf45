import { DOCUMENT_HEADERS, dataHeaders, textHeaders, topicLinks } from '../http.ts';
import { ATOM_TYPE, JSON_TYPE, TEXT_TYPE, TOPIC_PATHS } from '../paths.ts';
import { file, FILE_HEADERS, JSON_ERRORS, PAGE_ERRORS } from './openapi/answers.ts';
import {
  componentName,
  type CatalogueEntry,
  type Operation,
  type PathParameter,
  type ResponseSpec,
} from './operation.ts';
import type { Source } from './source.ts';

export type Body = string | Uint8Array;

/** One document, at its own path. */
export interface Instance {
  path: string;
  /** @param source a newer one than it was listed for, while content is edited in `npm run dev` */
  build: (source: Source) => Body;
}

/** A document, or many whose paths differ in one parameter. */
interface Definition extends CatalogueEntry {
  /** Media type as its header states it; by default that of JSON. */
  type?: string;
  /** Its Cache-Control where it is a file; by default that of data. */
  caching?: string;
  /** True if browsers save it instead of showing it. */
  isDownload?: boolean;
  /** True if there may be nothing at its path; by default if that has a parameter. */
  isOptional?: boolean;
  /** Says of its body what the title leaves open. */
  answer?: string;
  /** Answers that other documents do not have. */
  answers?: Operation['answers'];
  /** Returns the document; absent if other code writes it, with more than a source. */
  build?: (source: Source, operations: readonly Operation[]) => Body;
  /** Returns the documents of a path with a parameter. */
  instances?: (source: Source, operations: readonly Operation[]) => Instance[];
  /** Says of an example, the first of its documents, what it shows. */
  example?: string;
}

export type DocumentResource = Definition & Operation & { type: string };

/** Adds to a document what all have in common: how they are requested and answered. */
export function documentResource(definition: Definition): DocumentResource {
  const { path, parameters, title, type = JSON_TYPE, answer = `${title}.` } = definition;
  const { schemas = {}, isOptional = parameters !== undefined } = definition;
  const isJson = /[/+]json$/.test(type);
  const [name = 'json-object'] = Object.keys(schemas);
  const errors = isJson ? JSON_ERRORS : PAGE_ERRORS;
  const body: ResponseSpec = {
    description: answer,
    content: {
      [type.split(';')[0]!]: isJson ? componentName(name) : null,
      ...(type === ATOM_TYPE && { 'application/xml': null }), // for browsers, which would save it
    },
    ...(isTopic(path) && { headers: ['Link'] }),
  };
  return {
    ...definition,
    type,
    method: 'get',
    headers: FILE_HEADERS,
    answers: {
      ...file(body, errors),
      ...(isOptional && { 404: errors[404] }),
      ...definition.answers,
    },
  };
}

export const DAY: PathParameter = {
  description: 'The first day, YYYY-MM-DD.',
  schema: { type: 'string', format: 'date' },
  example: '2026-01-01',
};

/** Returns the text of a JSON document on one line. */
export function json(document: object): string {
  return `${JSON.stringify(document)}\n`;
}

/** Returns the text of a JSON document that people read too. */
export function indentedJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the documents of a resource, except those that other code writes. */
export function instancesOf(
  { path, build, instances }: DocumentResource,
  source: Source,
  operations: readonly Operation[],
): Instance[] {
  if (build) return [{ path, build: (newest) => build(newest, operations) }];
  return instances?.(source, operations) ?? [];
}

export function resourceHeaders(
  { path, type, caching, isDownload = false }: DocumentResource,
  { baseUrl, hub }: Pick<Source, 'baseUrl' | 'hub'>,
): Record<string, string> {
  if (type === TEXT_TYPE) return textHeaders();
  return {
    ...dataHeaders(type, caching),
    ...(/[/+]xml/.test(type) && DOCUMENT_HEADERS),
    ...(hub !== null && isTopic(path) && { link: topicLinks(baseUrl, path, hub) }),
    // RFC 6266
    ...(isDownload && { 'content-disposition': `attachment; filename="${path.slice(1)}"` }),
  };
}

function isTopic(path: string): boolean {
  return (TOPIC_PATHS as readonly string[]).includes(path);
}
