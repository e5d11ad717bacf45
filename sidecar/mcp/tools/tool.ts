import { z } from 'zod';
import type { Issue } from '../../../src/schema/error.ts';
import { review } from '../../../src/schema/review.ts';
import { NAME_FILTERS, type NamedKind, type NameFilter } from '../../../src/search/filter-names.ts';
import type { Matches } from '../../../src/search/search-index.ts';
import { readReview, type ReviewLines } from '../../../src/dataset/document.ts';
import { textAllowance, withinAllowance } from '../../../src/search/result.ts';
import type { Edition } from '../../edition/edition.ts';

/** A tool execution error: the model reads it and can correct its call. */
export interface ToolError {
  /** A stable word, e.g. unknown_technician. */
  error: string;
  message: string;
  issues?: Issue[];
  /** Likely meant, most likely first. */
  suggestions?: { id: string; label: string }[];
  known_ids?: string[];
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
  /** Returns the answer, or a {@link ToolError}, which is known by its member `error`. */
  answer(args: unknown, edition: Edition): object;
}

/** Defines a tool; its schema determines the type of its arguments. */
export function defineTool<S extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: S;
    answer(args: z.output<S>, edition: Edition): object;
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
 * Returns an answer that ends with reviews, whose texts are within the allowance.
 *
 * @param member name of the array of reviews
 */
export function withReviews(
  answer: object,
  member: string,
  lines: ReviewLines,
  positions: readonly number[],
): object {
  const allowance = textAllowance(lines, positions);
  const reviews = positions.map((position) =>
    withinAllowance(readReview(lines, position), allowance),
  );
  return { ...answer, [member]: reviews };
}

/** Input of a tool without arguments. */
export const noArguments = z.strictObject({});

const NAME_MAX = 200;
const NAME = `must be text of 1 to ${NAME_MAX} characters`;

/** Name of something, as people and models write it. */
export const nameArgument = z.string(NAME).min(1, NAME).max(NAME_MAX, NAME);

/** Finds the one entry with this name; the error says that there is none, or several. */
export function resolve<T extends { id: string; label: string }>(
  kind: NamedKind,
  name: string,
  entries: readonly T[],
  { search }: Edition,
): { entry: T } | { error: ToolError } {
  const names = search.names.kinds[kind];
  const ids = names.resolve(name);
  const found = entries.filter(({ id }) => ids.includes(id));
  if (found.length === 1) return { entry: found[0]! };
  const known_ids = entries.map(({ id }) => id);
  const wider = names.widerThan(name);
  if (found.length === 0 && wider.length > 0) {
    const error: ToolError = {
      error: `narrow_${kind}`,
      message: `This is a word for a part of the ${kind} in suggestions: count_reviews and search_reviews with ${kind} count it alone.`,
      suggestions: names.entries.filter(({ id }) => wider.includes(id)),
    };
    return { error };
  }
  if (found.length === 0) {
    return { error: unknownName(kind, names.suggest(name), known_ids) };
  }
  const error: ToolError = {
    error: `ambiguous_${kind}`,
    message: 'Several have this name; ask again with one of the ids in suggestions.',
    suggestions: found.map(({ id, label }) => ({ id, label })),
    known_ids,
  };
  return { error };
}

/**
 * Returns the error of filters whose name is unknown: to a model, an answer without reviews would
 * mean that no review matches.
 */
export function unknownFilter(
  unresolved: Matches['unresolved'] | undefined,
  { search }: Edition,
): ToolError | undefined {
  const first = unresolved?.[0];
  if (!first) return undefined;
  const kind = NAME_FILTERS[first.parameter as NameFilter];
  const known = search.names.kinds[kind].entries.map(({ id }) => id);
  const issues = unresolved!.map(({ parameter }) => ({
    path: [parameter],
    code: `unknown_${NAME_FILTERS[parameter as NameFilter]}`,
    message: `${parameter} must be a known id or name`,
  }));
  return { ...unknownName(kind, first.suggestions, known), issues };
}

function unknownName(
  kind: NamedKind,
  suggestions: NonNullable<ToolError['suggestions']>,
  known_ids: string[],
): ToolError {
  return {
    error: `unknown_${kind}`,
    message: `No ${kind} has this id or name; known_ids lists every ${kind}.`,
    suggestions,
    known_ids,
  };
}
