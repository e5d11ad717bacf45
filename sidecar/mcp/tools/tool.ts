import { z } from 'zod';
import type { Issue } from '../../../src/schema/error.ts';
import { review } from '../../../src/schema/review.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EncodedResult } from '../encode.ts';

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
  answer(args: unknown, edition: Edition): EncodedResult | ToolError;
}

/** Defines a tool; its schema determines the type of its arguments. */
export function defineTool<S extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: S;
    answer(args: z.output<S>, edition: Edition): EncodedResult | ToolError;
  },
): Tool {
  return tool as unknown as Tool;
}

/**
 * Complete reviews are returned; `get_review` has their schema, and this one what a citation needs.
 */
export const reviewInPart = review
  .pick({ id: true, rating: true, date: true, text: true, url: true })
  .loose();

/** Input of a tool without arguments. */
export const noArguments = z.strictObject({});

const NAME_MAX = 200;
const NAME = `must be text of 1 to ${NAME_MAX} characters`;

/** Name of something, as people and models write it. */
export const nameArgument = z.string(NAME).min(1, NAME).max(NAME_MAX, NAME);
