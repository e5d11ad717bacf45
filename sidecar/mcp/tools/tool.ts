import type { z } from 'zod';
import type { Issue } from '../../../src/schema/error.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EncodedResult } from '../result.ts';

/** What a tool says when it cannot answer: read by the model, which can then ask better. */
export interface Complaint {
  /** A stable word, e.g. unknown_technician. */
  error: string;
  message: string;
  issues?: Issue[];
  /** What may have been meant, most likely first. */
  suggestions?: { id: string; label: string }[];
  known_ids?: string[];
}

/** One tool. Every one of them only reads. */
export interface Tool {
  name: string;
  title: string;
  /** Written for a model: what comes back, in which order, what limits, what empty means. */
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** Says what is wrong with an argument; left out, the schema's own message does. */
  issue?: (name: string, value: unknown) => Issue;
  answer(args: unknown, edition: Edition): EncodedResult | Complaint;
}

/** Keeps the types of the arguments together with their schema. */
export function defineTool<S extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    input: S;
    answer(args: z.output<S>, edition: Edition): EncodedResult | Complaint;
  },
): Tool {
  return tool as unknown as Tool;
}
