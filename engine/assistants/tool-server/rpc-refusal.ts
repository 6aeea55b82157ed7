/** Errors of the tool server outside of a tool: JSON-RPC errors with an HTTP status. */

/** The JSON-RPC codes in use, including those of MCP. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  refused: -32000,
  sessionUnknown: -32001,
} as const;

/** A JSON-RPC error without a request id. */
export const refuseRpc = (
  status: number,
  code: (typeof rpcCodes)[keyof typeof rpcCodes],
  message: string,
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
