import { z } from 'zod';
import type { Issue } from '../../../src/schema/error.ts';
import { review } from '../../../src/schema/review.ts';
import { NAME_FILTERS, type NameFilter } from '../../../src/search/filter-names.ts';
import type { Matches } from '../../../src/search/search-index.ts';
import type { Pieces } from '../../../src/search/pieces.ts';
import type { ReviewLines } from '../../../src/dataset/document.ts';
import { fullReviews } from '../../../src/search/text-limits.ts';
import { flaggedQuotes, flaggedReviews, trustMarks } from '../../../src/search/trust-marks.ts';
import type { Edition } from '../../edition/edition.ts';
import { Json } from '../message.ts';

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
  input: z.ZodObject;
  /** Arguments described by another tool, which the description names. */
  described?: Readonly<Record<string, unknown>>;
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
 * @param reviews as the answer has them, each as JSON
 */
export function withReviews(
  answer: object,
  member: string,
  lines: ReviewLines,
  positions: readonly number[],
  reviews: readonly string[] = fullReviews(lines, positions),
): object {
  const flagged = [...flaggedQuotes(answer), ...flaggedReviews(lines, positions)];
  return { ...trustMarks(flagged), ...answer, [member]: new Json(`[${reviews.join()}]`) };
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

/** Says that nothing has a name, and how many reviews have its words: they may name it all the same. */
export function unknownText(kind: string, name: string, edition: Edition): string {
  const count = wordCount(name, edition);
  const query = JSON.stringify({ query: name.slice(0, NAME_MAX), match: 'words' });
  const found =
    count === 0
      ? 'No review has its words either.'
      : `Reviews with its words: ${count}, by search_reviews ${query}.`;
  return `No ${kind} has this id or name. ${found}`;
}
