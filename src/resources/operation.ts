import type { z } from 'zod';
import type { HeaderName, HeaderParameter } from './openapi/headers.ts';
import type { Source } from './source.ts';

/** Sections of the OpenAPI document and of the pages for developers, in reading order. */
export const TAGS = {
  Reviews: 'All reviews, and those since a day.',
  Search: 'Reviews that match filters, and their counts.',
  Feeds: 'The newest reviews for feed readers, with archives of every older one.',
  Insights: 'What the reviews say, and all that it is derived from.',
  Embed: 'The reviews on other sites: with the distribution and the critical ones, never filtered.',
  Changes: 'What was added, edited, answered or withdrawn, and when.',
  MCP: 'The reviews as tools for assistants.',
  WebSub: 'Pushes of every change to a callback of yours.',
  Service: 'What there is, how to check it, and how the service is.',
} as const;
export type Tag = keyof typeof TAGS;

/** Bodies by media type: the names of the schemas of JSON, null for text and bytes. */
export type ContentSpec = Readonly<Record<string, string | readonly string[] | null>>;

/** A status of an operation: its meaning and its body. */
export interface ResponseSpec {
  description: string;
  /** Absent if there is no body. */
  content?: ContentSpec;
  headers?: readonly HeaderName[];
  /** Name under which the document states an answer that many operations share. */
  component?: string;
}

export interface PathParameter {
  description: string;
  schema: { type: 'string'; format?: 'date' };
  example: string;
}

/** A command ready to run, and its real output for this edition. */
export interface Example {
  says: string;
  command: string;
  answer?: string;
  /** The body that the command sends. */
  request?: unknown;
  /** The body that `answer` shows, shortened, with its status. */
  response?: { status: number; body: unknown };
}

/** A document or a computed answer, as programs and people find it described. */
export interface CatalogueEntry {
  /** Names the endpoint in generated clients. */
  id: string;
  /** With parameters in braces: `/changes/{page}.json`. */
  path: string;
  tag: Tag;
  /** Says in a few words what it returns. */
  title: string;
  /** Says in a sentence or two what that is for, and what is special about it. */
  description: string;
  parameters?: Readonly<Record<string, PathParameter>>;
  /** Schemas of its bodies, by the names of their files in /schemas/. */
  schemas?: Readonly<Record<string, z.ZodType>>;
  /** Other schemas that the OpenAPI document names. */
  parts?: Readonly<Record<string, z.ZodType>>;
  examples?: (source: Source) => Example[];
}

export interface Operation extends CatalogueEntry {
  method: 'get' | 'post' | 'delete';
  /** The name of the schema whose properties are the query parameters. */
  query?: string;
  headers?: readonly HeaderParameter[];
  body?: ContentSpec;
  answers: Readonly<Record<number, ResponseSpec>>;
}

/** Returns the name of a schema in the OpenAPI document: `reviews-dataset` → `ReviewsDataset`. */
export function componentName(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
