import { CONTRACT_OPERATIONS } from './contract-operations.ts';
import { DATA_FILES } from './data-files.ts';
import { HUB_OPERATION } from './hub-operation.ts';
import { MCP_OPERATIONS } from './mcp-operations.ts';
import type { Operation } from './operation.ts';
import { PROBES, SERVICE_FILES } from './service-files.ts';

/** Every endpoint for programs, in the order of the contract, section 4. */
export const OPERATIONS: readonly Operation[] = [
  ...CONTRACT_OPERATIONS,
  ...MCP_OPERATIONS,
  HUB_OPERATION,
  ...DATA_FILES,
  ...SERVICE_FILES,
  ...PROBES,
];
