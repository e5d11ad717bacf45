import { z } from 'zod';
import type { Issue } from '../../../src/schema/error.ts';
import { review } from '../../../src/schema/review.ts';
import { NAME_FILTERS, type NamedKind, type NameFilter } from '../../../src/search/filter-names.ts';
import type { Matches } from '../../../src/search/search-index.ts';
import type { Pieces } from '../../../src/search/pieces.ts';
import type { ReviewLines } from '../../../src/dataset/document.ts';
import {
  flaggedQuotes,
  flaggedReviews,
  reviewsWithin,
  trustMarks,
} from '../../../src/search/result.ts';
import type { Edition } from '../../edition/edition.ts';

/** An error as a model reads it. */
interface ToolErrorBody {
  /** A stable word, e.g. unknown_technician. */
  error: string;
  message: string;
  /** Likely meant, most likely first. */
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
  input: z.ZodType;
  /** Arguments that another tool describes, which the description names. */
  described?: Readonly<Record<string, unknown>>;
  output: z.ZodType;
  /** Returns the issue of an invalid argument, if the schema's own message is not good enough. */
  issue?: (name: string, value: unknown) => Issue;
  /** True if no answer has words of reviews. */
  isQuoteless?: true;
  /** Returns the answer. @throws {ToolError} */
  answer(args: unknown, edition: Edition): object | Pieces<object>;
}

/** Defines a tool; its schema determines the type of its arguments. */
export function defineTool<S extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: S;
    answer(args: z.output<S>, edition: Edition): object | Pieces<object>;
  },
): Tool {
  return tool as unknown as Tool;
}

/**
 * The answer has complete reviews. `get_review` has their schema; this one only has what a citation
 * needs.
 */
export const reviewInPart = review
  .pick({ id: true, rating: true, date: true, text: true, url: true })
  .loose();

/**
 * Returns an answer that ends with reviews, and says which of them address a machine, if only in a part
 * that the answer leaves out.
 *
 * @param member name of the array of reviews
 * @param reviews as the answer has them
 */
export function withReviews(
  answer: object,
  member: string,
  lines: ReviewLines,
  positions: readonly number[],
  reviews: readonly object[] = reviewsWithin(lines, positions),
): object {
  const flagged = [...flaggedQuotes(answer), ...flaggedReviews(lines, positions)];
  return { ...trustMarks(flagged), ...answer, [member]: reviews };
}

export const noArguments = z.strictObject({});

const NAME_MAX = 200;
const NAME = `must be text of 1 to ${NAME_MAX} characters`;

/** Name of something, as people and models write it. */
export const nameArgument = z.string(NAME).min(1, NAME).max(NAME_MAX, NAME);

/** Finds the one entry with this name. @throws {ToolError} if there is none, or several */
export function resolve<T extends { id: string; label: string }>(
  kind: NamedKind,
  name: string,
  entries: readonly T[],
  { search }: Edition,
): T {
  const names = search.names.kinds[kind];
  const ids = names.resolve(name);
  const found = entries.filter(({ id }) => ids.includes(id));
  if (found.length === 1) return found[0]!;
  const known_ids = entries.map(({ id }) => id);
  if (found.length > 1) {
    throw new ToolError({
      error: `ambiguous_${kind}`,
      message: 'Several have this name; ask again with one of the ids in suggestions.',
      suggestions: found.map(({ id, label }) => ({ id, label })),
      known_ids,
    });
  }
  const wider = names.widerThan(name);
  if (wider.length === 0) throw unknownName(kind, names.suggest(name), known_ids);
  throw new ToolError({
    error: `narrow_${kind}`,
    message: `This is a word for a part of the ${kind} in suggestions: count_reviews and search_reviews with ${kind} count it alone.`,
    suggestions: names.entries.filter(({ id }) => wider.includes(id)),
  });
}

/**
 * Checks the names in filters: to a model, an answer without reviews would mean that no review
 * matches.
 *
 * @throws {ToolError} if a name is unknown
 */
export function checkNames(unresolved: Matches['unresolved'] = [], { search }: Edition): void {
  const [first] = unresolved;
  if (!first) return;
  const kind = NAME_FILTERS[first.parameter as NameFilter];
  const known = search.names.kinds[kind].entries.map(({ id }) => id);
  const issues = unresolved.map(({ parameter }) => ({
    path: [parameter],
    code: `unknown_${NAME_FILTERS[parameter as NameFilter]}`,
    message: `${parameter} must be a known id or name`,
  }));
  throw unknownName(kind, first.suggestions, known, issues);
}

function unknownName(
  kind: NamedKind,
  suggestions: ToolErrorBody['suggestions'],
  known_ids: string[],
  issues?: Issue[],
): ToolError {
  const message = `No ${kind} has this id or name; known_ids lists every ${kind}.`;
  return new ToolError({ error: `unknown_${kind}`, message, suggestions, known_ids, issues });
}
