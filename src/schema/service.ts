/** Of the interface (contract, section 9), as MCP and the registry state it. */
export const SERVICE_VERSION = '1.0.0';
