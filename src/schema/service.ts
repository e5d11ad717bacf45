/** Version of the interface (contract, section 9), for MCP and the registry. */
export const SERVICE_VERSION = '1.0.0';
