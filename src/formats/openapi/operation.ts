import type { SchemaName } from './components.ts';
import type { HeaderName, HeaderParameter } from './headers.ts';

/** Sections of the document, in reading order. */
export const TAGS = {
  Reviews: 'All reviews, and those since a day.',
  Search: 'Reviews that match filters, and their counts.',
  Feeds: 'The newest reviews for feed readers, with archives of every older one.',
  Insights: 'What the reviews say, and all that it is derived from.',
  Changes: 'What was added, edited, answered or withdrawn, and when.',
  MCP: 'The reviews as tools for assistants.',
  WebSub: 'Pushes of every change to a callback of yours.',
  Service: 'What there is, how to check it, and how the service is.',
} as const;
export type Tag = keyof typeof TAGS;

/** Bodies by media type: the schema of JSON, null for text and bytes. */
export type ContentSpec = Readonly<Record<string, SchemaName | readonly SchemaName[] | null>>;

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

/** An endpoint for programs, in the OpenAPI document and on the page for developers. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'delete';
  /** With path parameters in braces. */
  path: string;
  tag: Tag;
  summary: string;
  description: string;
  /** The schema whose properties are the query parameters. */
  query?: SchemaName;
  pathParameters?: Readonly<Record<string, PathParameter>>;
  headers?: readonly HeaderParameter[];
  body?: ContentSpec;
  answers: Readonly<Record<number, ResponseSpec>>;
}
