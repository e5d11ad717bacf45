import type { Edition } from '../../edition/edition.ts';
import { INVALID_PARAMS, McpFault } from '../fault.ts';
import type { Result } from '../result.ts';
import { argumentIssues } from './arguments.ts';
import { TOOLS } from './catalogue.ts';
import type { Complaint } from './tool.ts';

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/**
 * Calls a tool. What a model can mend, bad arguments and names that nobody has, is a result with
 * isError (MCP 2025-11-25, server/tools, error handling).
 *
 * @throws {McpFault} -32602 for a tool that there is not
 */
export function callTool(name: string, args: Record<string, unknown>, edition: Edition): Result {
  const tool = BY_NAME.get(name);
  if (!tool) throw new McpFault(INVALID_PARAMS, 'Unknown tool');
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    return failure({
      error: 'invalid_parameters',
      message: 'Some arguments are invalid; each is listed in issues.',
      issues: argumentIssues(tool, args, parsed.error),
    });
  }
  const answer = tool.answer(parsed.data, edition);
  return 'encode' in answer ? answer : failure(answer);
}

/** As text alone: an outputSchema says what answers are, not what complaints are. */
function failure(complaint: Complaint): Result {
  return { content: [{ type: 'text', text: JSON.stringify(complaint) }], isError: true };
}
