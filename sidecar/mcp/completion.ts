import type { CompleteRequest } from '@modelcontextprotocol/sdk/types.js';
import { fold } from '../../src/search/tokens.ts';
import type { Edition } from '../edition/edition.ts';
import { SERVICE_PROMPT } from './prompts.ts';
import { REVIEW_TEMPLATE } from './resources.ts';
import type { Result } from './result.ts';

/** MCP 2025-11-25, server/utilities/completion: values of one answer. */
const VALUES_MAX = 100;

/** Of the template's review and the prompt's service; of anything else there are no values. */
export function complete({ ref, argument }: CompleteRequest['params'], edition: Edition): Result {
  if (ref.type === 'ref/resource' && ref.uri === REVIEW_TEMPLATE && argument.name === 'id') {
    return completion(edition.ids.startingWith(argument.value.toUpperCase(), VALUES_MAX + 1));
  }
  if (ref.type === 'ref/prompt' && ref.name === SERVICE_PROMPT && argument.name === 'service') {
    return completion(servicesLike(argument.value, edition));
  }
  return completion([]);
}

function servicesLike(value: string, { insights }: Edition): string[] {
  const wanted = fold(value);
  return insights.entities.services
    .filter(({ id, label }) => id.includes(wanted) || fold(label).includes(wanted))
    .map(({ id }) => id);
}

function completion(values: readonly string[]): Result {
  return {
    completion: { values: values.slice(0, VALUES_MAX), hasMore: values.length > VALUES_MAX },
  };
}
