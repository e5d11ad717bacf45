import { searchAnswer } from '../../src/search/result.ts';
import { oneLine } from '../../src/schema/invisible.ts';
import { LIMIT } from '../../src/schema/search.ts';
import type { Edition } from '../edition/edition.ts';
import { INVALID_PARAMS, McpError } from './error.ts';
import type { Result } from './encode.ts';
import { findService } from './tools/entities.ts';

const SERVICE_PROMPT = 'summarize_service_reviews';

/** Result of `prompts/list`. */
export const PROMPTS = {
  prompts: [
    {
      name: SERVICE_PROMPT,
      title: 'Summarize the reviews of a service',
      description: `What customers say of one service, from the newest ${LIMIT.default} reviews that name it, with citations.`,
      arguments: [{ name: 'service', description: 'Id or label of a service.', required: true }],
    },
  ],
};

/** @throws {McpError} -32602 if there is no such prompt */
export function checkPrompt(name: string): void {
  if (name !== SERVICE_PROMPT) throw new McpError(INVALID_PARAMS, 'Unknown prompt');
}

/** Fills in a prompt. @throws {McpError} -32602 if the prompt or the service is unknown */
export function getPrompt(
  name: string,
  { service }: Readonly<Record<string, string>>,
  edition: Edition,
): Result {
  checkPrompt(name);
  if (service === undefined) {
    throw new McpError(INVALID_PARAMS, 'Invalid params: service is required');
  }
  const found = findService(service, edition);
  if ('error' in found) {
    throw new McpError(INVALID_PARAMS, found.error.message, { data: found.error });
  }
  const { id, label } = found.entry;
  const { search, metadata } = edition;
  const filters = { mentions_service: id, limit: LIMIT.default };
  const reviews = searchAnswer(search.lines, filters, search.search(filters), []);
  const task =
    `Summarize what customers of ${oneLine(metadata.business.name)} say of the service "${oneLine(label)}". ` +
    'Say first how many reviews there are and how they lean, then what they praise and what they criticize. ' +
    'Rely only on the reviews below, newest first, and cite each that you use by its url.';
  return {
    description: `Reviews of ${label}`,
    messages: [
      { role: 'user', content: { type: 'text', text: `${task}\n\n${reviews.toString()}` } },
    ],
  };
}
