import { z } from 'zod';
import { invalidParameters, type Issue } from '../../../src/schema/error.ts';
import { review } from '../../../src/schema/review.ts';
import { NAME_FILTERS, type NameFilter } from '../../../src/search/filter-names.ts';
import type { Matches } from '../../../src/search/search-index.ts';
import type { Pieces } from '../../../src/search/pieces.ts';
import { readArguments } from '../../../src/search/arguments.ts';
import type { ReviewLines } from '../../../src/dataset/document.ts';
import {
  fullReviews,
  flaggedQuotes,
  flaggedReviews,
  trustMarks,
} from '../../../src/search/machine-readers.ts';
import type { Edition } from '../../edition/edition.ts';
import { inPieces } from '../../http/turns.ts';
import { encode, Json, type Result } from '../message.ts';

/** An error as a model reads it. */
interface ToolErrorBody {
  /** A stable word, e.g. unknown_technician. */
  error: string;
  message: string;
  /** Names that the caller may have meant, most likely first. */
  suggestions?: { id: string; label: string }[] | undefined;
  known_ids?: string[];
  issues?: Issue[] | undefined;
}

/** A tool execution error: the model reads it and can correct its call. */
export class ToolError extends Error {
  readonly body: ToolErrorBody;

  constructor(body: ToolErrorBody) {
    super(body.message);
    this.body = body;
  }
}

/** A tool; all of them are read-only. */
export interface Tool {
  title: string;
  /**
   * Written for a model: the content and order of the answer, its limits, and what empty means.
   * `{business}` stands for the name, so that a model with two such servers takes the right one.
   */
  description: string;
  input: z.ZodObject;
  output: z.ZodType;
  /** True if no answer has words of reviews. */
  isQuoteless?: true;
  /** Returns the answer. @throws {ToolError} */
  answer(args: unknown, edition: Edition): object | Pieces<object>;
}

/** Defines a tool; its schema determines the type of its arguments. */
export function defineTool<S extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: S;
    answer(args: z.output<S>, edition: Edition): object | Pieces<object>;
  },
): Tool {
  return tool as unknown as Tool;
}

/**
 * A review as answers list it: always complete, but the schema has only what a citation needs; `get_review`
 * has all of it.
 */
export const reviewInPart = review
  .pick({ id: true, rating: true, date: true, text: true, url: true })
  .loose();

/**
 * Returns an answer that ends with reviews, and says which of them address a machine, if only in a part
 * that the answer leaves out.
 *
 * @param reviews as the answer has them, each as JSON
 */
export function withReviews(
  answer: object,
  lines: ReviewLines,
  positions: readonly number[],
  reviews: readonly string[] = fullReviews(lines, positions),
): object {
  const flagged = [...flaggedQuotes(answer), ...flaggedReviews(lines, positions)];
  return { ...trustMarks(flagged), ...answer, reviews: new Json(`[${reviews.join()}]`) };
}

export const noArguments = z.strictObject({});

const NAME_MAX = 200;

/** Name of something, as people and models write it. */
export const nameArgument = z.string().min(1).max(NAME_MAX);

/**
 * Checks the names in filters: to a model, an answer without reviews would mean that no review
 * matches.
 *
 * @throws {ToolError} if a name is unknown
 */
export function checkNames(unresolved: Matches['unresolved'] = [], edition: Edition): void {
  const [first] = unresolved;
  if (!first) return;
  const kind = NAME_FILTERS[first.parameter as NameFilter];
  const issues = unresolved.map(({ parameter }) => ({
    path: [parameter],
    code: `unknown_${NAME_FILTERS[parameter as NameFilter]}`,
    message: `${parameter} must be a known id or name`,
  }));
  throw new ToolError({
    error: `unknown_${kind}`,
    message: `${unknownText(kind, first.value, edition)} known_ids lists every ${kind}.`,
    suggestions: first.suggestions,
    known_ids: edition.search.names.kinds[kind].entries.map(({ id }) => id),
    issues,
  });
}

/** Returns the number of reviews that have the words of a name. */
export function wordCount(name: string, { search }: Edition): number {
  return search.search({ query: name, match: 'words', limit: 1 }).matched;
}

/** Says that nothing has this name, and how many reviews have its words. */
export function unknownText(kind: string, name: string, edition: Edition): string {
  const count = wordCount(name, edition);
  const query = JSON.stringify({ query: name.slice(0, NAME_MAX), match: 'words' });
  const found =
    count === 0
      ? 'No review has its words either.'
      : `Reviews with its words: ${count}, by search_reviews ${query}.`;
  return `No ${kind} has this id or name. ${found}`;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Keywords that the schemas leave out; some models refuse every tool for a `format`. */
const INPUT_OMITS = [
  'examples',
  'format',
  'maxItems',
  'maxLength',
  'minItems',
  'minLength',
  'pattern',
];
const OUTPUT_OMITS = [
  ...INPUT_OMITS,
  'additionalProperties',
  'default',
  'description',
  'maximum',
  'minimum',
  'propertyNames',
  'title',
];

/** Returns the JSON Schema of a tool's arguments, without some of them. */
export function inputSchema(schema: z.ZodType, without: ReadonlySet<string>): JsonSchema {
  const input = schemaWithout(INPUT_OMITS, schema, 'input');
  for (const name of without) delete input.properties?.[name];
  return input;
}

/**
 * Returns the JSON Schema of a tool's answers: names and types alone. A model may have the schemas
 * of every tool in its context all the time, so they leave out what data and descriptions show
 * anyway.
 */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return schemaWithout(OUTPUT_OMITS, schema, 'output');
}

function schemaWithout(
  omits: readonly string[],
  schema: z.ZodType,
  io: 'input' | 'output',
): JsonSchema {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      for (const keyword of omits) delete jsonSchema[keyword];
    },
  });
  return JSON.parse(JSON.stringify(whole), withoutTypeList) as JsonSchema;
}

/** Writes several types as `anyOf`: generators of types do not understand a list of types. */
function withoutTypeList(_key: string, value: JsonSchema | null): unknown {
  if (!Array.isArray(value?.type)) return value;
  const { type, ...rest } = value;
  return { anyOf: type.map((each) => ({ type: each })), ...rest };
}

/** Calls a tool with arguments as a client wrote them. @throws {ToolError} */
export function* callTool(
  tool: Tool,
  given: Record<string, unknown>,
  edition: Edition,
): Pieces<Result> {
  const read = readArguments(tool.input, Object.entries(given));
  if ('issues' in read) throw new ToolError(invalidArguments(read.issues));
  const asOf = edition.metadata.updated_at.slice(0, 10);
  const answer = yield* inPieces(tool.answer(read.args, edition));
  yield;
  return toolResult(tool, answer, asOf, read.ignored);
}

function invalidArguments(issues: Issue[]) {
  const message = 'Some arguments are invalid; each is listed in issues.';
  return { ...invalidParameters(issues), message };
}

/**
 * Returns an answer as text and as structuredContent for clients that know it (MCP 2025-06-18,
 * server/tools, structured content). Both are the same JSON; it begins with its day and, if it quotes
 * people, says so.
 *
 * @param asOf day of the newest change of the data
 * @param ignored names of arguments that are unknown
 */
export function toolResult(
  { isQuoteless }: Pick<Tool, 'isQuoteless'>,
  answer: object,
  asOf: string,
  ignored: readonly string[] = [],
): Result {
  const isMarked = isQuoteless || 'notice' in answer;
  const marks = isMarked ? {} : trustMarks(flaggedQuotes(answer));
  const named = ignored.length > 0 && { ignored_arguments: ignored };
  const text = encode({ as_of: asOf, ...named, ...marks, ...answer });
  return { content: [{ type: 'text', text }], structuredContent: new Json(text) };
}
