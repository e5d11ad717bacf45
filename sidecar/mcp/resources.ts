import { reviewLine } from '../../src/dataset/document.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import { McpError, RESOURCE_NOT_FOUND } from './error.ts';
import type { Result } from './encode.ts';
import { businessFacts } from './tools/overview.ts';

const BUSINESS = 'reviews://business';
const INSIGHTS = 'reviews://insights';
const REVIEW_PREFIX = 'reviews://review/';

/** Template of all reviews, as completion requests name it. */
export const REVIEW_TEMPLATE = `${REVIEW_PREFIX}{id}`;

/** Result of `resources/list`. */
export const RESOURCES = {
  resources: [
    {
      uri: BUSINESS,
      name: 'business',
      title: 'The business',
      description: 'The business, its aggregate rating, and which reviews are covered.',
      mimeType: JSON_TYPE,
    },
    {
      uri: INSIGHTS,
      name: 'insights',
      title: 'Insights',
      description:
        'Aspects, technicians, services, topics, FAQ, trend and summary, every quote with its review.',
      mimeType: JSON_TYPE,
    },
  ],
};

/** Result of `resources/templates/list`. */
export const RESOURCE_TEMPLATES = {
  resourceTemplates: [
    {
      uriTemplate: REVIEW_TEMPLATE,
      name: 'review',
      title: 'One review',
      description: 'One verified review in full, by its id.',
      mimeType: JSON_TYPE,
    },
  ],
};

/** Reads a resource. @throws {McpError} -32002 if it does not exist */
export function readResource(uri: string, edition: Edition): Result {
  const text = textOf(uri, edition);
  if (text === undefined) {
    throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { data: { uri } });
  }
  return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
}

function textOf(uri: string, edition: Edition): string | undefined {
  if (uri === BUSINESS) return JSON.stringify(businessFacts(edition));
  if (uri === INSIGHTS) return JSON.stringify(edition.insights);
  if (!uri.startsWith(REVIEW_PREFIX)) return undefined;
  const position = edition.ids.positionOf(uri.slice(REVIEW_PREFIX.length));
  return position === undefined ? undefined : reviewLine(edition.search.lines, position).toString();
}
