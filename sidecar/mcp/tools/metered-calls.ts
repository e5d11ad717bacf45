import type { Meters } from '../../base/meters.ts';
import { meterSearches } from '../../metrics/search-meter.ts';
import { McpFault } from '../fault.ts';
import { callTool } from './call.ts';
import { TOOLS } from './catalogue.ts';
import { searchReviews } from './reviews.ts';

const NAMES = new Set(TOOLS.map(({ name }) => name));

/**
 * Calls tools and counts the calls. A name that no tool has is the client's, so it counts as
 * `unknown`.
 */
export function meteredCalls(meters: Meters): typeof callTool {
  const searched = meterSearches(meters);
  const count = meters.counter(
    'reviews_mcp_calls_total',
    'Calls of MCP tools, by tool and outcome: answered, complaint (what a model can mend), refused, failed.',
    ['tool', 'outcome'],
  );
  return (name, args, edition) => {
    const tool = NAMES.has(name) ? name : 'unknown';
    if (tool === searchReviews.name) searched('mcp');
    try {
      const result = callTool(name, args, edition);
      count({ tool, outcome: 'isError' in result ? 'complaint' : 'answered' });
      return result;
    } catch (error) {
      count({ tool, outcome: error instanceof McpFault ? 'refused' : 'failed' });
      throw error;
    }
  };
}
