import { MCP_TOOLS, type McpTool } from '../../src/schema/mcp-catalog.ts';
import { refused } from './message.ts';

/** The tools that an address offers: all of them, or those that its query names. */
export type Door = ReadonlySet<McpTool>;

const ALL: Door = new Set(Object.keys(MCP_TOOLS) as McpTool[]);

/**
 * Returns the tools that an address names, `/mcp?tools=search,fetch`: small models choose better among few.
 *
 * @throws {McpError} 400 if it names something else
 */
export function doorOf({ searchParams }: URL): Door {
  const names = (searchParams.get('tools') ?? '').split(/[\s,]+/).filter(Boolean);
  if (names.length === 0) return ALL;
  const known = new Set<string>(ALL);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return new Set(names as McpTool[]);
  throw refused(400, `tools must be some of ${[...ALL].join(', ')}`);
}
