import { reviewJson } from '../../src/dataset/document.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import { MCP_APP_URI } from '../../src/schema/mcp-catalog.ts';
import type { Edition } from '../edition/edition.ts';
import { ENTRY_KINDS, entriesOf, entryAt, entryUri, type EntryKind } from './entries.ts';
import { McpError, RESOURCE_NOT_FOUND, type Result } from './message.ts';
import { businessFacts } from './tools/overview.ts';

const BUSINESS = 'reviews://business';
const INSIGHTS = 'reviews://insights';
const REVIEW_PREFIX = 'reviews://review/';
const REVIEW_TEMPLATE = `${REVIEW_PREFIX}{id}`;

/** Kinds whose entries are listed one by one, for people who attach them to a conversation. */
const LISTED: readonly EntryKind[] = ['aspect', 'service', 'technician'];

export function resourceList({ insights }: Edition): { resources: object[] } {
  const entries = LISTED.flatMap((kind) => entriesOf(kind, insights));
  return {
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
          'Aspects, technicians, services, topics, FAQ, trend and summary, every quote with its review. Long: each part is a resource of its own.',
        mimeType: JSON_TYPE,
      },
      ...entries.map(({ kind, id, label, reviews }) => ({
        uri: entryUri(kind, id),
        name: `${kind}/${id}`,
        title: label,
        description: `What ${reviews} reviews say.`,
        mimeType: JSON_TYPE,
      })),
    ],
  };
}

export const RESOURCE_TEMPLATES = {
  resourceTemplates: [
    {
      uriTemplate: REVIEW_TEMPLATE,
      name: 'review',
      title: 'One review',
      description: 'One review in full, by its id.',
      mimeType: JSON_TYPE,
    },
    ...ENTRY_KINDS.map((kind) => ({
      uriTemplate: entryUri(kind, '{id}'),
      name: kind,
      title: `One ${kind === 'faq' ? 'answer of the FAQ' : kind}`,
      description: 'One part of the insights, by its id.',
      mimeType: JSON_TYPE,
    })),
  ],
};

/** Reads a resource. @throws {McpError} -32002 if it does not exist */
export function readResource(uri: string, edition: Edition): Result {
  if (uri === MCP_APP_URI && edition.mcpApp) {
    return { contents: [JSON.parse(edition.mcpApp.toString())] };
  }
  const text = textOf(uri, edition);
  if (text === undefined) {
    throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found', { data: { uri } });
  }
  return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
}

function textOf(uri: string, edition: Edition): string | undefined {
  if (uri === BUSINESS) return JSON.stringify(businessFacts(edition));
  if (uri === INSIGHTS) return JSON.stringify(edition.insights);
  if (uri.startsWith(REVIEW_PREFIX)) {
    const position = edition.ids.positionOf(uri.slice(REVIEW_PREFIX.length));
    return position === undefined ? undefined : reviewJson(edition.search.lines, position);
  }
  const entry = entryAt(uri, edition.insights);
  return entry && JSON.stringify(entry.value);
}
