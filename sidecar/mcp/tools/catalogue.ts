import { getAspectSentiment, getService, getTechnician, getTopic } from './entities.ts';
import { inputSchema, outputSchema } from './json-schema.ts';
import { getBusiness, getFaq, getSummary, getTrend, listInsights } from './overview.ts';
import { getReview, searchReviews } from './reviews.ts';
import type { Tool } from './tool.ts';

/** The tools, in the order they are listed. */
export const TOOLS: readonly Tool[] = [
  getBusiness,
  searchReviews,
  getReview,
  getAspectSentiment,
  getTechnician,
  getService,
  listInsights,
  getTopic,
  getFaq,
  getTrend,
  getSummary,
];

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The result of `tools/list`: the same for every edition and every client. */
export function toolList(): { tools: Record<string, unknown>[] } {
  const tools = TOOLS.map(({ name, title, description, input, output }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(input),
    outputSchema: outputSchema(output),
    annotations: { title, ...READ_ONLY },
  }));
  return { tools };
}
