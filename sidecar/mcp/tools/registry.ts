import { shortName } from '../../../src/dataset/mcp-identity.ts';
import { invalidParameters, type Issue } from '../../../src/schema/error.ts';
import { MCP_APP_URI, MCP_TOOLS, type McpTool } from '../../../src/schema/mcp-catalog.ts';
import { inPieces, type Pieces } from '../../../src/search/pieces.ts';
import { readArguments } from '../../../src/search/arguments.ts';
import { flaggedQuotes, trustMarks } from '../../../src/search/trust-marks.ts';
import type { Meters } from '../../base/meters.ts';
import type { Edition } from '../../edition/edition.ts';
import type { Logger } from '../../base/log.ts';
import { meterSearches } from '../../http/search-meters.ts';
import { NAME_FILTERS } from '../../../src/search/filter-names.ts';
import { ENTRY_KINDS, entriesOf, type EntryKind } from '../entries.ts';
import { encode, INVALID_PARAMS, Json, McpError, refused, type Result } from '../message.ts';
import { whatChanged } from './changes.ts';
import { fetch, search } from './connector.ts';
import { getInsight } from './insight.ts';
import { inputSchema, outputSchema } from './json-schema.ts';
import { getBusiness, getFaq, getSummary, listInsights } from './overview.ts';
import { countReviews, getReview, searchReviews } from './reviews.ts';
import { ToolError, type Tool } from './tool.ts';

const TOOLS: Readonly<Record<McpTool, Tool>> = {
  get_business: getBusiness,
  search_reviews: searchReviews,
  count_reviews: countReviews,
  get_review: getReview,
  get_insight: getInsight,
  list_insights: listInsights,
  get_faq: getFaq,
  what_changed: whatChanged,
  get_summary: getSummary,
  search,
  fetch,
};
const TOOL_NAMES = Object.keys(MCP_TOOLS) as McpTool[];

/** The tools that an address offers: all of them, or those that its query names. */
export type Door = ReadonlySet<McpTool>;

const ALL: Door = new Set(TOOL_NAMES);

/**
 * Returns the tools that an address names, `/mcp?tools=search,fetch`: small models choose better among few.
 *
 * @throws {McpError} 400 if it names something else
 */
export function doorOf({ searchParams }: URL): Door {
  const names = (searchParams.get('tools') ?? '').split(/[\s,]+/).filter(Boolean);
  if (names.length === 0) return ALL;
  if (names.every(isToolName)) return new Set(names);
  throw refused(400, `tools must be some of ${TOOL_NAMES.join(', ')}`);
}

const SEARCHES: ReadonlySet<McpTool> = new Set(['search_reviews', 'count_reviews', 'search']);

/** Kinds of entries of which a tool needs some. */
const NEEDED: Partial<Record<McpTool, readonly EntryKind[]>> = {
  get_insight: ENTRY_KINDS.filter((kind) => kind !== 'faq'),
  list_insights: ENTRY_KINDS,
  get_faq: ['faq'],
};

/** The tool whose result clients show as a card. */
const WITH_APP: McpTool = 'get_summary';

/** Words of editions that name none. */
const TRADE = { staff: { singular: 'technician' }, service: { singular: 'service' } };

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Returns the tools that a site has answers for, with the filters that it has values of. */
export function toolList(edition: Edition) {
  const { mcpApp, manifest, metadata } = edition;
  const { attribute } = edition.search.columns.values;
  const hasNone = new Set<string>([
    ...ENTRY_KINDS.filter((kind) => entriesOf(kind, edition.insights).length === 0),
    ...(attribute.values.length === 0 ? ['attribute'] : []),
  ]);
  const withoutValues = Object.entries(NAME_FILTERS).filter(([, kind]) => hasNone.has(kind));
  const without = new Set(withoutValues.map(([filter]) => filter));
  const name = shortName(metadata.business);
  const { staff, service } = { ...TRADE, ...manifest.site };
  const inTrade = (text: string) =>
    text
      .replaceAll('{business}', () => name)
      .replaceAll('{staff}', () => staff.singular)
      .replaceAll('{service}', () => service.singular);
  const offered = TOOL_NAMES.filter((tool) => {
    const needed = NEEDED[tool] ?? [];
    return needed.length === 0 || needed.some((kind) => !hasNone.has(kind));
  });
  const tools = offered.map((tool) => {
    const { title, description, input, output } = TOOLS[tool];
    return {
      name: tool,
      title: inTrade(title),
      description: inTrade(description),
      inputSchema: inputSchema(input, without),
      outputSchema: outputSchema(output),
      annotations: READ_ONLY,
      ...(mcpApp && tool === WITH_APP && { _meta: { ui: { resourceUri: MCP_APP_URI } } }),
    };
  });
  return { tools };
}

/**
 * Returns a function that calls a tool by its name, and counts the calls. Errors that a model can correct,
 * invalid arguments and unknown names, are results with isError (MCP 2025-11-25, server/tools, error
 * handling); it throws an {@link McpError}, -32602, for an unknown tool.
 */
export function meteredCalls(meters: Meters, logger: Logger) {
  const searched = meterSearches(meters, logger);
  const count = meters.counter(
    'reviews_mcp_calls_total',
    'Calls of MCP tools, by tool and outcome: answered, tool_error (the model can correct it), refused, failed.',
    ['tool', 'outcome'],
  );
  return function* (
    name: string,
    args: Record<string, unknown>,
    edition: Edition,
    door: Door,
  ): Pieces<Result> {
    if (!isToolName(name) || !door.has(name)) {
      count({ tool: 'unknown', outcome: 'refused' }); // the name comes from the client
      throw new McpError(INVALID_PARAMS, `Unknown tool; there are ${[...door].join(', ')}`);
    }
    if (SEARCHES.has(name)) searched('mcp', Object.entries(args));
    try {
      const result = yield* callTool(TOOLS[name], args, edition);
      count({ tool: name, outcome: 'answered' });
      return result;
    } catch (error) {
      const isKnown = error instanceof ToolError;
      count({ tool: name, outcome: isKnown ? 'tool_error' : 'failed' });
      if (!isKnown) throw error;
      // As text alone, because an outputSchema describes only answers.
      return { content: [{ type: 'text', text: JSON.stringify(error.body) }], isError: true };
    }
  };
}

function isToolName(name: string): name is McpTool {
  return Object.hasOwn(TOOLS, name);
}

function* callTool(tool: Tool, given: Record<string, unknown>, edition: Edition): Pieces<Result> {
  const read = readArguments(tool.input, Object.entries(given));
  if ('issues' in read) throw new ToolError(invalidArguments(read.issues));
  const asOf = edition.metadata.updated_at.slice(0, 10);
  const answer = yield* inPieces(tool.answer(read.args, edition));
  yield;
  return toolResult(tool, answer, asOf, read.ignored);
}

function invalidArguments(issues: Issue[]) {
  const message = 'Some arguments are invalid; each is listed in issues.';
  return { ...invalidParameters(issues), message };
}

/**
 * Returns an answer as text and as structuredContent for clients that know it (MCP 2025-06-18,
 * server/tools, structured content). Both are the same JSON; it begins with its day and, if it quotes
 * people, says so.
 *
 * @param asOf day of the newest change of the data
 * @param ignored names of arguments that are unknown
 */
export function toolResult(
  { isQuoteless }: Pick<Tool, 'isQuoteless'>,
  answer: object,
  asOf: string,
  ignored: readonly string[] = [],
): Result {
  const isMarked = isQuoteless || 'notice' in answer;
  const marks = isMarked ? {} : trustMarks(flaggedQuotes(answer));
  const named = ignored.length > 0 && { ignored_arguments: ignored };
  const text = encode({ as_of: asOf, ...named, ...marks, ...answer });
  return { content: [{ type: 'text', text }], structuredContent: new Json(text) };
}
